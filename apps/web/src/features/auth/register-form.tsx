import { useStore } from '@nanostores/react';
import { RegisterForm as RegisterSchema } from '@vuka/contracts/http/users';
import { COUNTRIES, REGISTRATION_COUNTRY } from '@vuka/money/corridors';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import type { FormEvent, ReactNode } from 'react';
import * as z from 'zod/mini';
import { ApiError } from '#shared/api-client.ts';
import { filterPhoneInput } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { refusalText } from '#shared/i18n/refusal-texts.ts';
import { Button } from '#shared/ui/button.tsx';
import { CurrencySelect } from '#shared/ui/currency-select.tsx';
import { PinField } from '#shared/ui/pin-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { register } from './auth.api.ts';
import { useSignIn } from './use-sign-in.ts';

const MESSAGES = i18n('register-form', {
  you: 'About you',
  wallet: 'Your wallet',
  name: 'Full name',
  email: 'Email',
  emailHint: 'You log in with this email',
  phone: 'Phone number',
  phoneHint: 'Starting with 0 or the country code',
  country: 'Country',
  currency: 'Default currency',
  pin: '4-digit PIN',
  pinHint: 'You enter it for every transfer. Avoid ones like 1234.',
  submit: 'Create account',
  pending: 'Creating Account...',
  successTitle: 'Registration successful',
  success: 'Your account has been created.',
  failed: 'Registration failed',
  error: 'Registration error',
  tryAgain: 'Registration failed. Please try again.',
  unknownReason: 'Registration failed for unknown reason. Please try again.',
});

const { name: country, currency } = COUNTRIES[REGISTRATION_COUNTRY];
const EMPTY = { name: '', email: '', phoneNumber: '', country, defaultCurrency: currency, pin: '' };
/** The one of the proposed country first. */
const CURRENCIES = [currency, ...WALLET_CURRENCIES.filter((other) => other !== currency)];

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 text-small font-semibold text-ink">{legend}</legend>
      {children}
    </fieldset>
  );
}

function serverIssues(error: unknown): Record<string, string> {
  const issues = error instanceof ApiError ? (error.body?.issues ?? []) : [];
  return Object.fromEntries(issues.map((issue) => [issue.path, refusalText(issue, issue.message)]));
}

export function RegisterForm({ onSignedIn }: { onSignedIn: () => void }) {
  const t = useStore(MESSAGES);
  const form = useForm(RegisterSchema, EMPTY);
  const signIn = useSignIn({ send: register, texts: t, onSignedIn });
  const isBusy = signIn.isPending || signIn.isSuccess;
  const phone = form.field('phoneNumber');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy || !form.validate()) return;
    signIn.mutate(z.parse(RegisterSchema, form.values), { onError: (error) => form.setErrors(serverIssues(error)) });
  };
  return (
    <form ref={form.formRef} noValidate className="mt-6 grid gap-5" onSubmit={submit}>
      <Group legend={t.you}>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field('name')} label={t.name} autoComplete="name" autoCapitalize="words" />
          <TextField
            {...phone}
            label={t.phone}
            hint={t.phoneHint}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            className="nums"
            onChange={(typed) => phone.onChange(filterPhoneInput(typed))}
          />
        </div>
        <TextField
          {...form.field('email')}
          label={t.email}
          hint={t.emailHint}
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Group>
      <Group legend={t.wallet}>
        <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
          <TextField {...form.field('country')} label={t.country} autoComplete="country-name" />
          <CurrencySelect
            label={t.currency}
            currencies={CURRENCIES}
            name="defaultCurrency"
            value={form.values.defaultCurrency}
            onChange={form.field('defaultCurrency').onChange}
          />
        </div>
        <PinField {...form.field('pin')} label={t.pin} hint={t.pinHint} autoComplete="new-password" />
      </Group>
      <Button type="submit" className="w-full" isPending={isBusy} aria-disabled={isBusy}>
        {isBusy ? t.pending : t.submit}
      </Button>
    </form>
  );
}
