import {
  type CallbackAnswer,
  CallbackAnswers,
  type ProviderCallback,
  ProviderCallbacks,
} from '@vuka/contracts/internal/transfers';
import type { HttpApp } from '@vuka/service-kit/http-app';
import { type ReceiveCallbackDeps, receiveCallback } from './receive-callback.ts';

/** Provider callbacks forwarded by the gateway in a batch; each gets its own answer. */
export function callbackRoutes(app: HttpApp, deps: ReceiveCallbackDeps): void {
  app.post(
    '/internal/provider-callbacks-batch',
    { schema: { body: ProviderCallbacks, response: { 200: CallbackAnswers } } },
    async (request) => ({ results: await Promise.all(request.body.items.map((item) => answerCallback(deps, item))) }),
  );
}

/** A callback that cannot be committed now is answered with 503, so that the provider sends that one again. */
async function answerCallback(deps: ReceiveCallbackDeps, callback: ProviderCallback): Promise<CallbackAnswer> {
  try {
    return await receiveCallback(deps, callback);
  } catch (error) {
    deps.logger.error({ err: error }, 'a callback could not be committed');
    return { status: 503 };
  }
}
