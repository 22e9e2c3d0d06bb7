import { queryOptions } from '@tanstack/react-query';
import type { CloseAccount } from '@vuka/contracts/http/account-closing';
import {
  CodeSent,
  ContactVerification,
  type PinResetForm,
  PinResetRequested,
  type VerificationChannel,
} from '@vuka/contracts/http/contact-verification';
import { SessionList } from '@vuka/contracts/http/sessions';
import * as z from 'zod/mini';
import { callApi, parseAnswer, sendRequest } from '#shared/api-client.ts';

export const VERIFICATION_KEY = ['verification'];
export const SESSIONS_KEY = ['sessions'];

export const verificationQuery = () =>
  queryOptions({
    queryKey: VERIFICATION_KEY,
    queryFn: ({ signal }) => callApi('/api/verification', ContactVerification, { signal }),
    staleTime: 0,
  });

export const sessionsQuery = () =>
  queryOptions({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => callApi('/api/sessions', SessionList, { signal }),
    staleTime: 0,
  });

const post = (path: string, body: object = {}) => sendRequest(path, { method: 'POST', body });

export const sendCode = (channel: VerificationChannel) =>
  callApi(`/api/verification/${channel}/send`, CodeSent, { method: 'POST', body: {} });

export const confirmCode = ({ channel, code }: { channel: VerificationChannel; code: string }) =>
  post(`/api/verification/${channel}/confirm`, { code });

export const endSession = (id: string) => post(`/api/sessions/${id}/end`);
export const endOtherSessions = () => post('/api/sessions/end-others');

export const sendClosingCode = () => callApi('/api/account/close-code', CodeSent, { method: 'POST', body: {} });
export const closeAccount = (given: CloseAccount) => post('/api/account/close', given);

/** The file as it came, whatever a later release adds to it. Throws if it is not complete. */
export async function readAllData(pin: string): Promise<{ madeAt: string; file: unknown }> {
  const { json } = await post('/api/account/export', { pin });
  const { madeAt } = parseAnswer(z.looseObject({ madeAt: z.string() }), json);
  return { madeAt, file: json };
}

export const requestPinReset = (username: string) =>
  callApi('/api/pin-reset', PinResetRequested, { method: 'POST', body: { username } });

export const resetPin = (form: PinResetForm) => post('/api/pin-reset/confirm', form);
