import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LIMIT_KINDS, SetLimits, type TierLimits } from '@vuka/contracts/http/tier-limits';
import { AdminForm, AmountField } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { useForm } from '#shared/use-form.ts';
import { setLimits, TIER_LIMIT_PROPOSALS, TIER_LIMITS_KEY } from './admin-limits.api.ts';
import { LIMIT_NAMES } from './limit-names.ts';

const MESSAGES = i18n('admin/limit-form', {
  submit: 'Save limits',
  submitting: 'Saving...',
  done: 'Limits changed',
  doneDetail: 'They apply from now on.',
  waiting: 'Waiting for another administrator',
  waitingDetail: 'Higher limits take effect once another administrator approves them.',
  failed: 'The limits were not changed',
});

/** Changes the limits of one tier in one currency; higher ones wait for another administrator. */
export function LimitForm({ limits, onDone }: { limits: TierLimits; onDone: () => void }) {
  const t = useStore(MESSAGES);
  const names = useStore(LIMIT_NAMES);
  const client = useQueryClient();
  const form = useForm(SetLimits, { ...limits });
  const saving = useMutation({
    mutationFn: setLimits,
    meta: { silent: true },
    onSuccess({ proposal, limits: saved }) {
      client.setQueryData(TIER_LIMITS_KEY, saved);
      const [title, description] = proposal ? [t.waiting, t.waitingDetail] : [t.done, t.doneDetail];
      showToast({ title, description, tone: 'success' });
      onDone();
    },
    onError: (error) => showFailure(t.failed, error, errorMessage(error)),
    onSettled: () => client.invalidateQueries({ queryKey: TIER_LIMIT_PROPOSALS.key }),
  });
  return (
    <div className="-mx-4 sm:-mx-5">
      <AdminForm
        form={form}
        submit={t.submit}
        submitting={t.submitting}
        isPending={saving.isPending}
        onSubmit={() => saving.mutate(form.values)}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {LIMIT_KINDS.map((kind) => (
            // Below the first, each pair is a day and a month.
            <div key={kind} className={kind === 'perTransaction' ? 'sm:col-span-2' : ''}>
              <AmountField {...form.field(kind)} currency={limits.currency} label={names[kind]} />
            </div>
          ))}
        </div>
      </AdminForm>
    </div>
  );
}
