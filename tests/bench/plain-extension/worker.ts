// The worker of a plain extension: answers at once and does nothing else.
chrome.runtime.onMessage.addListener(
  (_message: unknown, _sender: unknown, respond: (answer: unknown) => void) => {
    respond({ specified: 0 });
    return true;
  },
);
