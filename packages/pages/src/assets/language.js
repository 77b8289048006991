// The library of charts writes numbers by the browser's language, and does not load where that is no language tag, such as `en-US@posix`.
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en' });
}
