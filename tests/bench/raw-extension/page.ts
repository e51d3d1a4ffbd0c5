globalThis.measureWake = async () => {
  const start = performance.now();
  await chrome.runtime.sendMessage('x');
  return performance.now() - start;
};
document.title = 'ready';
