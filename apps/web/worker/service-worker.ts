/// <reference lib="webworker" />

// Caches the app's own files, so that it opens at once and offline. It never caches an answer of the API. The build
// fills in the version and the list; the page sends `activate` when a new version may take over.

declare const __VERSION__: string;
declare const __FILES__: readonly string[];

const worker = globalThis as unknown as ServiceWorkerGlobalScope;
const PREFIX = 'vuka-';
const CACHE = `${PREFIX}${__VERSION__}`;

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    __FILES__.map(async (file) => {
      // A file of the previous version with the same name has the same content.
      const known = file.startsWith('/assets/') ? await caches.match(file) : undefined;
      const response = known ?? (await fetch(file, { cache: file.startsWith('/assets/') ? 'default' : 'reload' }));
      if (!response.ok) throw new Error(`${file}: ${response.status}`);
      await cache.put(file, response);
    }),
  );
}

async function deleteOldCaches(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
}

async function answerAsset(request: Request): Promise<Response> {
  const kept = await caches.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

async function answerPage(request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match('/index.html')) ?? fetch(request);
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches()));
worker.addEventListener('message', (event) => {
  if (event.data === 'activate') void worker.skipWaiting();
});
worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (pathname.startsWith('/assets/')) event.respondWith(answerAsset(request));
  else if (request.mode === 'navigate' && !/^\/(api|health)(\/|$)|\.\w+$/.test(pathname)) {
    event.respondWith(answerPage(request));
  }
});
