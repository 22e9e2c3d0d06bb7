import '#shared/admin/admin-refusals.ts';
import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SecondFactor } from '@vuka/contracts/http/second-factors';
import { KeyRound, Smartphone } from 'lucide-react';
import { showFailure } from '#shared/admin/failure-text.ts';
import { PinAsker } from '#shared/admin/pin-dialog.tsx';
import { SECOND_FACTORS_KEY, secondFactorsQuery } from '#shared/admin/second-factor.api.ts';
import { errorMessage } from '#shared/api-client.ts';
import { formatDayAndTime } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { USER_KEY } from '#shared/session.ts';
import { showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { LoadError } from '#shared/ui/load-error.tsx';
import { Skeleton } from '#shared/ui/skeleton.tsx';
import { AddFactor } from './add-factor.tsx';
import { removeFactor } from './second-factors.api.ts';

const MESSAGES = i18n('admin/second-factors', {
  title: 'Second factor',
  detail:
    'A passkey or an authenticator app besides your PIN. Once you have one, signing in and confirming important changes need it.',
  passkey: 'Passkey',
  totp: 'Authenticator app',
  added: params('Added {time}'),
  used: params('Last used {time}'),
  unused: 'Not used yet',
  remove: 'Remove',
  removeOf: params('Remove {name}'),
  removed: 'Second factor removed',
  notRemoved: 'The second factor was not removed',
  notRemovedDetail: 'Please try again.',
  failed: 'Your second factors could not be loaded',
});

/** An administrator's own second factors. Calls that need a confirmation ask for it here, outside the admin area. */
export function SecondFactorsCard() {
  const t = useStore(MESSAGES);
  const { data, error, refetch } = useQuery(secondFactorsQuery());
  return (
    <Card title={t.title}>
      <p className="px-4 pb-3 text-small text-pretty text-ink2 sm:px-5">{t.detail}</p>
      {data ? (
        <ul className="divide-y divide-line">
          {data.factors.map((factor) => (
            <FactorRow key={factor.id} factor={factor} isRemovable={!data.isRequired || data.factors.length > 1} />
          ))}
        </ul>
      ) : error ? (
        <LoadError title={t.failed} detail={errorMessage(error)} onRetry={() => void refetch()} />
      ) : (
        <div className="px-4 pb-3 sm:px-5">
          <Skeleton className="h-10" />
        </div>
      )}
      <div className="px-4 pt-1 pb-4 sm:px-5 sm:pb-5">
        <AddFactor />
      </div>
      <PinAsker />
    </Card>
  );
}

function FactorRow({ factor, isRemovable }: { factor: SecondFactor; isRemovable: boolean }) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const { id, kind, name, addedAt, lastUsedAt } = factor;
  const removing = useMutation({
    mutationFn: removeFactor,
    meta: { silent: true },
    onSuccess: () => showToast({ title: t.removed, tone: 'success' }),
    onError: (error) => showFailure(t.notRemoved, error, t.notRemovedDetail),
    async onSettled() {
      await client.invalidateQueries({ queryKey: SECOND_FACTORS_KEY });
      await client.invalidateQueries({ queryKey: USER_KEY });
    },
  });
  const Icon = kind === 'passkey' ? KeyRound : Smartphone;
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <Icon aria-hidden className="size-5 shrink-0 text-ink2" />
      <div className="min-w-0 flex-1">
        <p className="font-medium [overflow-wrap:anywhere]">
          {name} <span className="font-normal text-ink2">({t[kind]})</span>
        </p>
        <p className="nums text-small text-ink2">
          {t.added({ time: formatDayAndTime(addedAt) })} ·{' '}
          {lastUsedAt ? t.used({ time: formatDayAndTime(lastUsedAt) }) : t.unused}
        </p>
      </div>
      {isRemovable ? (
        <Button
          variant="quiet"
          size="small"
          isBusy={removing.isPending}
          aria-label={t.removeOf({ name })}
          onClick={() => removing.mutate(id)}
        >
          {t.remove}
        </Button>
      ) : null}
    </li>
  );
}
