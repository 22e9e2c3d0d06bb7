import type { QueryClient } from '@tanstack/react-query';
import type { LoginForm, RegisterForm } from '@vuka/contracts/http/users';
import { ApiError, AppFailure, errorMessage, NetworkError, sendRequest } from '#shared/api-client.ts';
import { logoutMark, normaliseUser, type SessionUser, signedInHint, USER_KEY } from '#shared/session.ts';

async function signIn(path: string, body: unknown, expected: readonly number[]): Promise<SessionUser> {
  const answer = await sendRequest(path, { method: 'POST', body });
  if (!expected.includes(answer.status)) throw new AppFailure('status_unexpected', { status: answer.status });
  const user = normaliseUser(answer.json);
  if (!user) throw new AppFailure('answer_without_user');
  return user;
}

export function login(form: LoginForm): Promise<SessionUser> {
  return signIn('/api/login', form, [200]);
}

export function register(form: RegisterForm): Promise<SessionUser> {
  return signIn('/api/register', form, [200, 201]);
}

export async function logout(): Promise<void> {
  const answer = await sendRequest('/api/logout', { method: 'POST' });
  if (answer.status !== 200) throw new AppFailure('status_unexpected', { status: answer.status });
}

export async function startSession(client: QueryClient, user: SessionUser): Promise<void> {
  logoutMark.write(false);
  // An answer to a request from before the session would sign the user out again.
  await client.cancelQueries({ queryKey: USER_KEY });
  client.setQueryData(USER_KEY, user);
  signedInHint.write(true);
}

export interface AuthFailureTexts {
  failed: string;
  error: string;
  tryAgain: string;
  unknownReason: string;
}

/** The toast of a failed sign-in: a refusal by the server reads differently from a call that failed. */
export function authFailure(error: unknown, texts: AuthFailureTexts): { title: string; description: string } {
  if (error instanceof NetworkError) return { title: texts.error, description: errorMessage(error) };
  if (error instanceof ApiError)
    return { title: texts.failed, description: error.body?.error ? errorMessage(error) : texts.tryAgain };
  return { title: texts.failed, description: errorMessage(error, texts.unknownReason) };
}
