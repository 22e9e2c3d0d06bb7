import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { WALLET_CURRENCIES } from '@vuka/money/currencies';
import { Copy } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { BALANCES_KEY } from '#shared/api/keys.ts';
import { errorMessage, sendRequest } from '#shared/api-client.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { type SessionUser, USER_KEY } from '#shared/session.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { CurrencySelect } from '#shared/ui/currency-select.tsx';
import { DisplayChoices } from './display-choices.tsx';

const MESSAGES = i18n('profile-card', {
  account: 'Account',
  preferences: 'Preferences',
  merchantId: 'Merchant ID',
  copyId: 'Copy merchant ID',
  copied: 'Merchant ID copied to clipboard',
  copyFailed: 'Could not copy. Please select and copy the text manually.',
  accountType: 'Account Type',
  administrator: 'Administrator',
  merchant: 'Merchant',
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  noPhone: 'Not provided',
  currency: 'Default Currency',
  save: 'Save Changes',
  savedTitle: 'Profile updated',
  saved: 'Your changes have been saved',
  failed: 'Update failed',
});

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
      <dt className="text-small text-ink2">{label}</dt>
      <dd className="nums ml-auto min-w-0 text-right font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

export function AccountCard({ user }: { user: SessionUser }) {
  const t = useStore(MESSAGES);
  return (
    <Card title={t.account}>
      <dl className="divide-y divide-line px-4 pb-1 sm:px-5">
        {user.merchantData ? <MerchantId id={user.merchantData.merchantId} /> : null}
        <Fact label={t.accountType}>{user.isAdmin ? t.administrator : t.merchant}</Fact>
        <Fact label={t.name}>{user.fullName || user.username}</Fact>
        <Fact label={t.email}>{user.email}</Fact>
        <Fact label={t.phone}>{user.phone ? formatPhone(user.phone) : t.noPhone}</Fact>
      </dl>
    </Card>
  );
}

/** What others need to credit the merchant, so it can be copied. */
function MerchantId({ id }: { id: string }) {
  const t = useStore(MESSAGES);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(id);
      showToast({ title: t.copied, tone: 'success' });
    } catch {
      showToast({ title: t.copyFailed, tone: 'destructive' });
    }
  };
  return (
    <Fact label={t.merchantId}>
      <button
        type="button"
        aria-label={t.copyId}
        className="-my-3 mr-1 inline-grid size-11 place-items-center rounded-control align-middle text-primary hover:bg-primary-soft"
        onClick={() => void copy()}
      >
        <Copy aria-hidden className="size-4.5" />
      </button>
      {id}
    </Fact>
  );
}

function saveCurrency(defaultCurrency: string) {
  return sendRequest('/api/profile', { method: 'PATCH', body: { defaultCurrency } });
}

export function PreferencesCard({ saved }: { saved: string }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  // Ends when another currency is saved, here or elsewhere. A `key` would do so, too, but take the focus from the button.
  const [chosen, setChosen] = useState({ saved, currency: saved });
  const currency = chosen.saved === saved ? chosen.currency : saved;
  const mutation = useMutation({
    mutationFn: saveCurrency,
    meta: { silent: true },
    async onSuccess() {
      showToast({ title: t.savedTitle, description: t.saved, tone: 'success' });
      await Promise.all([
        client.invalidateQueries({ queryKey: USER_KEY }),
        client.invalidateQueries({ queryKey: BALANCES_KEY }),
      ]);
    },
    onError: (error) => showError(t.failed, errorMessage(error)),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!mutation.isPending) mutation.mutate(currency);
  };
  return (
    <Card title={t.preferences}>
      <form className="flex flex-wrap items-end gap-3 px-4 pt-1 pb-4 sm:flex-nowrap sm:px-5 sm:pb-5" onSubmit={submit}>
        <div className="w-full min-w-0">
          <CurrencySelect
            label={t.currency}
            currencies={WALLET_CURRENCIES}
            value={currency}
            onChange={(next) => setChosen({ saved, currency: next })}
          />
        </div>
        <Button
          type="submit"
          variant={currency === saved ? 'secondary' : 'primary'}
          className="w-full whitespace-nowrap sm:w-auto"
          isPending={mutation.isPending}
          aria-disabled={mutation.isPending}
        >
          {t.save}
        </Button>
      </form>
      <DisplayChoices />
    </Card>
  );
}
