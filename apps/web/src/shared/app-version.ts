import { useSyncExternalStore } from 'react';

// A new version's service worker waits until no page of the old one is open, or until the user agrees to update: an
// unrequested reload could interrupt a transfer.

let waiting: ServiceWorker | undefined;
const listeners = new Set<() => void>();

function setWaiting(worker: ServiceWorker | null): void {
  waiting = worker ?? undefined;
  for (const listener of listeners) listener();
}

function follow(registration: ServiceWorkerRegistration): void {
  setWaiting(navigator.serviceWorker.controller ? registration.waiting : null);
  registration.addEventListener('updatefound', () => {
    const installing = registration.installing;
    installing?.addEventListener('statechange', () => {
      // Without a controller this is the first installation, and there is nothing to replace.
      if (installing.state === 'installed' && navigator.serviceWorker.controller) setWaiting(installing);
    });
  });
}

/** Makes the app's files available offline. Browsers that cannot or may not do this use the app online only. */
export function keepAppOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  void navigator.serviceWorker.register('/sw.js').then(follow, () => undefined);
}

/** Whether a newer version is ready to take over. */
export function useNewVersion(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => waiting !== undefined,
    () => false,
  );
}

/** Activates the newer version, unless another tab has, and reloads the page. */
export function takeNewVersion(): void {
  if (waiting?.state === 'activated') window.location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true });
  waiting?.postMessage('activate');
}

const RELOADED_AT = 'vuka.reloaded-at';
const RELOAD_PAUSE_MS = 60_000;

/** Reloads, at most once a minute, when a file of this version is gone from the server after a release. */
export function reloadWhenFilesAreGone(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - last < RELOAD_PAUSE_MS || !navigator.onLine) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    window.location.reload();
  });
}
