import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { EARLY_HEADERS } from '@vuka/service-kit/http-errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import helmet from 'helmet';
import { sessionTokenOf } from '#guards/cookies.ts';

/**
 * Headers that keep out other sites and injected scripts. Only the inline scripts and styles of the built pages are
 * allowed, by their hashes.
 */
export function addSecurityHeaders(app: HttpApp, webRoot: string): void {
  const pages = pagesOf(webRoot).map((page) => readFileSync(join(webRoot, page), 'utf8'));
  // Built once: Fastify's plugin would build the policy again for every request.
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'", ...hashesOf(pages, 'script')],
        styleSrc: ["'self'", ...hashesOf(pages, 'style')],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
  app.addHook('onRequest', (request, reply, done) => secure(request.raw, reply.raw, () => done()));
}

/** Headers by which a browser protects a page. They have no effect on other answers. */
const OF_PAGES = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

/** Headers about calls, or about files that may change. */
const OF_CALLS = [
  'accept-ranges',
  'etag',
  'last-modified',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
];

const IMAGE = /^\/[\w-]+\.(svg|png)$/;

/**
 * API answers are personal or momentary: no cache may store them (OWASP ASVS 5, 14.3.2). They are not pages, and the
 * headers for pages would be most of their bytes.
 */
export function trimApiAnswers(app: HttpApp): void {
  app.addHook('onSend', async (request, reply) => {
    // The matched route, not the raw address: `/%61pi/` matches the same one. Without a route there is only the address.
    const url = request.routeOptions.url ?? request.url;
    if (!url.startsWith('/api/') || url.startsWith('/api/docs')) return;
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    for (const header of OF_PAGES) reply.removeHeader(header);
    reply.header('content-security-policy', EARLY_HEADERS['content-security-policy']);
  });
}

function pagesOf(root: string): string[] {
  return existsSync(root) ? readdirSync(root).filter((name) => name.endsWith('.html')) : [];
}

function hashesOf(pages: string[], tag: 'script' | 'style'): string[] {
  const inline = pages.flatMap((page) => [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))]);
  const hashes = inline.map(([, content = '']) => createHash('sha256').update(content).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}

/** Serves the built web app's files: hashed assets are cached forever, the rest is revalidated each time. */
export async function serveWebApp(app: HttpApp, root: string): Promise<void> {
  if (!existsSync(root)) return;
  app.addHook('onSend', async (request, reply) => {
    const isHashed = request.url.startsWith('/assets/');
    if (!isHashed && !IMAGE.test(request.url)) return;
    // An address that ends like an image, and is opened as a page, answers with the app.
    if (String(reply.getHeader('content-type')).startsWith('text/html')) return;
    // These headers would add 800 bytes to every script: a tenth of a second on a slow connection.
    for (const header of OF_PAGES) reply.removeHeader(header);
    // Other files are revalidated, which needs these headers.
    if (isHashed) for (const header of OF_CALLS) reply.removeHeader(header);
    // A policy with more than this would also bind workers.
    reply.header('content-security-policy', "frame-ancestors 'none'");
  });
  // The plugin answers a HEAD for a folder, such as "/", with 400, and load balancers send such requests.
  const page = answerPage(root);
  app.get('/', { schema: { hide: true } }, (request, reply) => page(request, reply) ?? reply.callNotFound());
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: false,
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

/** The app's page for every address that may be a page, or its own file if it has one. A missing file stays a 404. */
export function answerPage(root: string) {
  const pages = new Set(pagesOf(root));
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const path = request.url.split('?')[0] ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // A browser that opens an address asks for HTML; one that loads a missing file of a page does not.
    const mayBePage = request.headers.accept?.includes('text/html') || !/\.\w+$/.test(path);
    const isPage = isRead && mayBePage && !/^\/(api|assets|internal|health|metrics)(\/|$)/.test(path);
    if (pages.size === 0 || !isPage) return undefined;
    // Tells the sign-in page that it need not request the current user.
    if (!sessionTokenOf(request)) reply.header('server-timing', 'no-session');
    const own = path === '/' ? 'send.html' : `${path.slice(1)}.html`;
    return reply.header('cache-control', 'no-cache').sendFile(pages.has(own) ? own : 'index.html');
  };
}
