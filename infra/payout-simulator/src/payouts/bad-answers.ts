import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { failureReason } from '#answers/payout.view.ts';
import { type Effect, type EffectName, findEffect, numberOf, textOf } from '#effects/effect.domain.ts';

const HTML = '<!DOCTYPE html><html><body><h1>503 Service Temporarily Unavailable</h1></body></html>';
const BEFORE: readonly EffectName[] = [
  'timeout_lost',
  'http_500_lost',
  'reset_before',
  'html_503',
  'http_429',
  'http_error',
];
const AFTER: readonly EffectName[] = ['timeout_paid', 'http_500_paid', 'reset_after', 'truncated_json'];

/** Answers that a scenario requests instead of the correct one. Requests that hang are held here until they end. */
export interface BadAnswers {
  /** True if the request is lost before it is processed, and has been answered. */
  before(effects: readonly Effect[], request: FastifyRequest, reply: FastifyReply): boolean;
  /** True if the answer is spoiled after the request was processed. */
  after(effects: readonly Effect[], reply: FastifyReply, answer: unknown): boolean;
  /** Drops every hanging request. */
  close(): void;
}

export function createBadAnswers(): BadAnswers {
  const hanging = new Set<Socket>();

  function answerBadly(effect: Effect, reply: FastifyReply, answer: unknown): void {
    const socket = reply.raw.socket;
    switch (effect.name) {
      case 'timeout_lost':
      case 'timeout_paid':
        reply.hijack();
        if (socket) {
          hanging.add(socket);
          socket.once('close', () => hanging.delete(socket));
        }
        return;
      case 'reset_before':
      case 'reset_after':
        reply.hijack();
        socket?.resetAndDestroy();
        return;
      case 'truncated_json': {
        reply.hijack();
        const text = JSON.stringify(answer);
        reply.raw.writeHead(200, { 'content-type': 'application/json' }).end(text.slice(0, text.length / 2));
        return;
      }
      case 'html_503':
        void reply.code(503).type('text/html').send(HTML);
        return;
      case 'http_429':
        void reply.code(429).send({ message: 'Too many requests' });
        return;
      case 'http_error':
        void reply
          .code(numberOf(effect, 'status', 403))
          .send(failureReason(textOf(effect, 'code', 'AUTHENTICATION_ERROR')));
        return;
      default:
        void reply.code(500).send(failureReason('UNKNOWN_ERROR', 'Unable to process the request'));
    }
  }

  function strike(names: readonly EffectName[], effects: readonly Effect[], reply: FastifyReply, answer: unknown) {
    const effect = effects.find(({ name }) => names.includes(name));
    if (!effect) return false;
    answerBadly(effect, reply, answer);
    return true;
  }

  return {
    before: (effects, _request, reply) => strike(BEFORE, effects, reply, undefined),
    after: (effects, reply, answer) => strike(AFTER, effects, reply, answer),
    close() {
      for (const socket of hanging) socket.destroy();
    },
  };
}

/**
 * A status inquiry that a scenario spoils: during the payout's first `ms`, counted across restarts, or the first
 * `times` (default 1).
 */
export function spoiledInquiry(
  effects: readonly Effect[],
  { inquiries, ageMs }: { inquiries: number; ageMs: number },
): Effect | undefined {
  const names: readonly EffectName[] = ['not_found_first', 'status_down', 'unknown_status'];
  return names
    .map((name) => findEffect(effects, name))
    .find(
      (effect) =>
        effect &&
        ('ms' in effect.params ? ageMs < numberOf(effect, 'ms', 0) : inquiries <= numberOf(effect, 'times', 1)),
    );
}
