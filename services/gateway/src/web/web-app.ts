import { existsSync } from 'node:fs';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { HttpApp } from '@vuka/service-kit/http-app';
import type { FastifyReply, FastifyRequest } from 'fastify';

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

/** Serves the built web app's files: hashed assets for ever, the rest asked for anew each time. */
export async function serveWebApp(app: HttpApp, root: string): Promise<void> {
  if (!existsSync(root)) return;
  await app.register(fastifyStatic, {
    root,
    preCompressed: true,
    index: ['index.html'],
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

/** The app's one page for every address that may be a page of its own; a missing file stays missing. */
export function answerPage(root: string) {
  const isBuilt = existsSync(root);
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined => {
    const path = request.url.split('?')[0] ?? '';
    const isPage =
      request.method === 'GET' && !/^\/(api|assets|internal|health)(\/|$)/.test(path) && !/\.\w+$/.test(path);
    return isBuilt && isPage ? reply.header('cache-control', 'no-cache').sendFile('index.html') : undefined;
  };
}
