import { LoginForm as LoginSchema } from '@vuka/contracts/http/users';
import type { FormEvent } from 'react';
import { Button } from '#shared/ui/button.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { login } from './auth.api.ts';
import { useSignIn } from './use-sign-in.ts';

const TEXT = {
  email: 'Email',
  pin: '4-digit PIN',
  submit: 'Log in',
  pending: 'Logging in...',
  success: { title: 'Login successful', description: 'Welcome back!' },
  failure: {
    failed: 'Login failed',
    error: 'Login error',
    tryAgain: 'Login failed. Please try again.',
    unknownReason: 'Login failed for unknown reason. Please try again.',
  },
} as const;

export function LoginForm({ onSignedIn }: { onSignedIn: () => void }) {
  const form = useForm(LoginSchema, { username: '', pin: '' });
  const signIn = useSignIn({ send: login, success: TEXT.success, failure: TEXT.failure, onSignedIn });
  const isBusy = signIn.isPending || signIn.isSuccess;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy || !form.validate()) return;
    signIn.mutate(
      { ...form.values, username: form.values.username.trim() },
      { onError: () => form.setValues({ ...form.values, pin: '' }) },
    );
  };
  return (
    <form ref={form.formRef} noValidate className="mt-6 grid gap-5" onSubmit={submit}>
      <TextField
        {...form.field('username')}
        label={TEXT.email}
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PinField {...form.field('pin')} label={TEXT.pin} autoComplete="current-password" />
      <Button type="submit" className="mt-1 w-full" isPending={isBusy} aria-disabled={isBusy}>
        {isBusy ? TEXT.pending : TEXT.submit}
      </Button>
    </form>
  );
}
