import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LinkedAccount } from '@vuka/contracts/http/linked-accounts';
import { Landmark, Plus, Smartphone, Wallet } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { LINKED_ACCOUNTS_KEY, linkedAccountsQuery } from '#shared/api/withdrawals.api.ts';
import { errorMessage, sendRequest } from '#shared/api-client.ts';
import { accountDetail } from '#shared/format/account.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { forgetSubmissions } from '#shared/submission-key.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button, type ButtonProps } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { ModalDialog } from '#shared/ui/modal-dialog.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { LINKED_ACCOUNT } from './linked-account.ts';

const MESSAGES = i18n('account-list', {
  title: 'Your accounts',
  loading: 'Loading accounts',
  failed: 'Your accounts could not be loaded',
  empty: 'No accounts yet',
  emptyDetail: 'Link the phone or bank account that you want to withdraw to.',
  link: 'Link an account',
  isDefault: params('Default for {currency}'),
  makeDefault: 'Make default',
  makeDefaultOf: params('Make default: {name}'),
  remove: 'Remove',
  removeOf: params('Remove {name}'),
  removeTitle: params('Remove {name}?'),
  removeDetail: 'You can link it again with your PIN. Withdrawals in progress still reach it.',
  cancel: 'Cancel',
  confirmRemove: 'Remove account',
  removed: 'Account removed',
  changed: 'Default changed',
  notChanged: 'The account could not be changed',
});

function useAccountChange() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, what }: { id: string; what: 'default' | 'remove' }) =>
      sendRequest(`/api/linked-accounts/${encodeURIComponent(id)}`, {
        ...(what === 'remove' ? { method: 'DELETE' } : { method: 'PATCH', body: { isDefault: true } }),
      }),
    meta: { silent: true },
    onSuccess(_, { what }) {
      // The removed account may be one whose linking got no answer: linking it again is another request.
      if (what === 'remove') forgetSubmissions(LINKED_ACCOUNT);
      showToast({ title: what === 'remove' ? t.removed : t.changed, tone: 'success' });
    },
    onError: (error) => showError(t.notChanged, errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: LINKED_ACCOUNTS_KEY }),
  });
}

interface AccountListProps {
  /** Whether the user comes back from the form for another account. */
  isReturn: boolean;
  /** Opens the form. */
  onLink: () => void;
}

export function AccountList({ isReturn, onLink }: AccountListProps) {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(linkedAccountsQuery());
  if (!data) {
    return (
      <Card title={t.title}>
        {error ? (
          <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
        ) : (
          <div role="status" className="grid gap-3 p-5">
            <span className="sr-only">{t.loading}</span>
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </div>
        )}
      </Card>
    );
  }
  return (
    <Card title={t.title}>
      {data.length === 0 ? (
        <EmptyState
          Icon={Wallet}
          title={t.empty}
          detail={t.emptyDetail}
          action={<LinkButton isReturn={isReturn} onClick={onLink} />}
        />
      ) : (
        <>
          <ul className="divide-y divide-line pb-1">
            {data.map((account) => (
              <AccountRow key={account.id} account={account} />
            ))}
          </ul>
          <div className="px-4 pt-1 pb-4 sm:px-5 sm:pb-5">
            <LinkButton isReturn={isReturn} variant="secondary" className="w-full" onClick={onLink} />
          </div>
        </>
      )}
    </Card>
  );
}

/** On the return from the form that it opens it has the focus again. */
function LinkButton({ isReturn, ...button }: Omit<ButtonProps, 'children'> & { isReturn: boolean }) {
  const t = useStore(MESSAGES);
  const id = useId();
  useEffect(() => {
    if (isReturn) document.getElementById(id)?.focus();
  }, [id, isReturn]);
  return (
    <Button id={id} {...button}>
      <Plus aria-hidden className="size-5" />
      {t.link}
    </Button>
  );
}

function AccountRow({ account }: { account: LinkedAccount }) {
  const t = useStore(MESSAGES);
  const [isRemoving, setIsRemoving] = useState(false);
  const change = useAccountChange();
  const { id, accountName: name, currency } = account;
  const Icon = account.bank ? Landmark : Smartphone;
  return (
    <li className="flex gap-3 px-4 py-3 sm:px-5">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-sunken text-ink2">
        <Icon aria-hidden className="size-5" />
      </span>
      <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-2 gap-y-0">
        <div className="min-w-0">
          <p className="font-medium break-words">{name}</p>
          <p className="nums text-small text-ink2">
            {accountDetail(account)}
            {account.isDefault ? null : <span> · {currency}</span>}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
          {account.isDefault ? (
            <span className="rounded-full bg-primary-soft px-2.5 py-0.5 text-caption font-semibold text-primary-ink">
              {t.isDefault({ currency })}
            </span>
          ) : (
            <Button
              variant="quiet"
              size="small"
              className="-ml-3"
              aria-label={t.makeDefaultOf({ name })}
              isBusy={change.isPending}
              onClick={() => change.mutate({ id, what: 'default' })}
            >
              {t.makeDefault}
            </Button>
          )}
          <Button
            variant="removal"
            size="small"
            className="-mr-3 ml-auto"
            aria-label={t.removeOf({ name })}
            isBusy={change.isPending}
            onClick={() => setIsRemoving(true)}
          >
            {t.remove}
          </Button>
        </div>
      </div>
      {isRemoving ? (
        <ModalDialog title={t.removeTitle({ name })} onCancel={() => setIsRemoving(false)}>
          <p className="mt-2 text-small text-ink2">{t.removeDetail}</p>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <Button variant="secondary" onClick={() => setIsRemoving(false)}>
              {t.cancel}
            </Button>
            <Button
              variant="destructive"
              onClick={() => {
                setIsRemoving(false);
                change.mutate({ id, what: 'remove' });
              }}
            >
              {t.confirmRemove}
            </Button>
          </div>
        </ModalDialog>
      ) : null}
    </li>
  );
}
