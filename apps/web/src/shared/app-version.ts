import { useSyncExternalStore } from 'react';

// The service worker of a new version waits until no page of the old one is open, or until the user lets it go ahead:
// a reload that nobody asked for could fall into the middle of a transfer.

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
      // Without a controller this is the first version, and there is nothing to replace.
      if (installing.state === 'installed' && navigator.serviceWorker.controller) setWaiting(installing);
    });
  });
}

/** Makes the app's files available offline. Where the browser cannot, or may not, it works online as before. */
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

/** Lets the newer version take over, and reloads with it. */
export function takeNewVersion(): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true });
  waiting?.postMessage('activate');
}

const RELOADED_AT = 'vuka.reloaded-at';
const RELOAD_PAUSE_MS = 60_000;

/** A page of this version that is gone from the server, after a release, is found again by a reload: once a minute. */
export function reloadWhenFilesAreGone(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - last < RELOAD_PAUSE_MS || !navigator.onLine) return;
    event.preventDefault();
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    window.location.reload();
  });
}
