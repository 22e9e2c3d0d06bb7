import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { BALANCES_KEY } from '#shared/api/balances.api.ts';
import { ApiError, errorMessage, sendRequest } from '#shared/api-client.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { type SessionUser, USER_KEY } from '#shared/session.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';

const TEXT = {
  account: 'Account',
  preferences: 'Preferences',
  merchantId: 'Merchant ID',
  accountType: 'Account Type',
  administrator: 'Administrator',
  merchant: 'Merchant',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  noPhone: 'Not provided',
  currency: 'Default Currency',
  save: 'Save Changes',
  saved: { title: 'Profile updated', description: 'Your changes have been saved' },
  failed: 'Update failed',
} as const;

const CURRENCIES = [
  { value: 'KES', label: 'Kenyan Shilling (KES)' },
  { value: 'TZS', label: 'Tanzanian Shilling (TZS)' },
] as const;

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
      <dt className="text-small text-ink2">{label}</dt>
      <dd className="nums min-w-0 font-medium break-words">{children}</dd>
    </div>
  );
}

export function AccountCard({ user }: { user: SessionUser }) {
  return (
    <Card title={TEXT.account}>
      <dl className="divide-y divide-line px-4 pb-1 sm:px-5">
        {user.merchantData ? <Fact label={TEXT.merchantId}>{user.merchantData.merchantId}</Fact> : null}
        <Fact label={TEXT.accountType}>{user.isAdmin ? TEXT.administrator : TEXT.merchant}</Fact>
        <Fact label={TEXT.name}>{user.fullName || user.username}</Fact>
        <Fact label={TEXT.email}>{user.email}</Fact>
        <Fact label={TEXT.phone}>{user.phone ? formatPhone(user.phone) : TEXT.noPhone}</Fact>
      </dl>
    </Card>
  );
}

function saveCurrency(defaultCurrency: string) {
  return sendRequest('/api/profile', { method: 'PATCH', body: { defaultCurrency } });
}

export function PreferencesCard({ user }: { user: SessionUser }) {
  const client = useQueryClient();
  const [currency, setCurrency] = useState<string>(user.defaultCurrency);
  const mutation = useMutation({
    mutationFn: saveCurrency,
    meta: { silent: true },
    async onSuccess() {
      showToast({ ...TEXT.saved, tone: 'success' });
      await Promise.all([
        client.invalidateQueries({ queryKey: USER_KEY }),
        client.invalidateQueries({ queryKey: BALANCES_KEY }),
      ]);
    },
    onError: (error) => showError(TEXT.failed, error instanceof ApiError ? error.message : errorMessage(error)),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!mutation.isPending) mutation.mutate(currency);
  };
  return (
    <Card title={TEXT.preferences}>
      <form className="grid gap-4 px-4 pt-1 pb-4 sm:px-5 sm:pb-5" onSubmit={submit}>
        <SelectField label={TEXT.currency} options={CURRENCIES} value={currency} onChange={setCurrency} />
        <Button type="submit" className="w-full" isPending={mutation.isPending} aria-disabled={mutation.isPending}>
          {TEXT.save}
        </Button>
      </form>
    </Card>
  );
}
