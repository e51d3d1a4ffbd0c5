import browser from 'webextension-polyfill';

browser.runtime.onConnect.addListener((port) => {
  port.onMessage.addListener((message) => port.postMessage(message));
});
