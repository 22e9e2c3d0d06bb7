/** Runs a function `ms` after the page has loaded, or after now if it has loaded already. */
export function afterLoad(ms: number, act: () => void): void {
  const wait = (): void => void setTimeout(act, ms);
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true });
}
