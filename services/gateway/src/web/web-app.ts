import { existsSync } from 'node:fs';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import { AppError } from '@vuka/service-kit/app-error';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { sendError } from '@vuka/service-kit/http-errors';

/** Headers that keep other sites and injected scripts out. */
export async function addSecurityHeaders(app: HttpApp): Promise<void> {
  await app.register(helmet, {
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
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
  });
}

/** Serves the built web app: hashed assets for ever, its one page for every address that is the app's own. */
export async function serveWebApp(app: HttpApp, root: string): Promise<void> {
  const isBuilt = existsSync(root);
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root,
      preCompressed: true,
      wildcard: true,
      index: ['index.html'],
      setHeaders(reply, path) {
        const isHashed = path.includes('/assets/');
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const isPage =
      request.method === 'GET' && !/^\/(api|assets|internal|health)(\/|$)/.test(path) && !/\.\w+$/.test(path);
    if (isBuilt && isPage) return reply.header('cache-control', 'no-cache').sendFile('index.html');
    return sendError(new AppError('not_found', 'There is nothing at this address.'), request, reply);
  });
}
