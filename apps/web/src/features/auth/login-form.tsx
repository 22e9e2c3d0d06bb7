import { useStore } from '@nanostores/react';
import { LoginForm as LoginSchema } from '@vuka/contracts/http/users';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import { i18n } from '#shared/i18n/i18n.ts';
import { PATHS } from '#shared/paths.ts';
import { Button } from '#shared/ui/button.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { login } from './auth.api.ts';
import { useSignIn } from './use-sign-in.ts';

const MESSAGES = i18n('login-form', {
  email: 'Email',
  pin: '4-digit PIN',
  submit: 'Log in',
  pending: 'Logging in...',
  forgot: 'Forgot your PIN?',
  successTitle: 'Login successful',
  success: 'Welcome back!',
  failed: 'Login failed',
  error: 'Login error',
  tryAgain: 'Login failed. Please try again.',
  unknownReason: 'Login failed for unknown reason. Please try again.',
});

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const t = useStore(MESSAGES);
  const form = useForm(LoginSchema, { username: '', pin: '' });
  const signIn = useSignIn({ send: login, texts: t, onSignedIn });
  const isBusy = signIn.isPending || signIn.isSuccess;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy || !form.validate()) return;
    signIn.mutate({ ...form.values, username: form.values.username.trim() }, { onError: () => form.clear('pin') });
  };
  return (
    <form ref={form.formRef} noValidate className="mt-6 grid gap-5" onSubmit={submit}>
      <TextField
        {...form.field('username')}
        label={t.email}
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PinField {...form.field('pin')} label={t.pin} autoComplete="current-password" />
      <Button type="submit" className="mt-1 w-full" isPending={isBusy} aria-disabled={isBusy}>
        {isBusy ? t.pending : t.submit}
      </Button>
      <Link to={PATHS.resetPin} className="-my-2 justify-self-center p-2 text-small font-semibold text-primary">
        {t.forgot}
      </Link>
    </form>
  );
}
