import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { PATHS, safeNextPath } from '#shared/paths.ts';
import type { SessionUser } from '#shared/session.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { type AuthFailureTexts, authFailure, startSession } from './auth.api.ts';

const REDIRECT_DELAY_MS = 300;

interface SignInOptions<Form> {
  send: (form: Form) => Promise<SessionUser>;
  texts: AuthFailureTexts & { successTitle: string; success: string };
  onSignedIn: () => void;
}

/**
 * Login and registration differ only in their call and texts: both store the user, show a toast, and navigate after a
 * moment.
 */
export function useSignIn<Form>({ send, texts, onSignedIn }: SignInOptions<Form>) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  return useMutation({
    mutationFn: send,
    meta: { silent: true },
    async onSuccess(user) {
      onSignedIn();
      await startSession(client, user);
      showToast({ title: texts.successTitle, description: texts.success, tone: 'success' });
      const target = safeNextPath(search.get('next')) ?? PATHS.dashboard;
      setTimeout(() => void navigate(target, { replace: true }), REDIRECT_DELAY_MS);
    },
    onError(error) {
      const { title, description } = authFailure(error, texts);
      showError(title, description);
    },
  });
}
