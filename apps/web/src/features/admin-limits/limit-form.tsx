import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LIMIT_KINDS, SetLimits, type TierLimits } from '@vuka/contracts/http/tier-limits';
import { useState } from 'react';
import { AdminForm, AmountField } from '#shared/admin/admin-form.tsx';
import { isChangedMeanwhile } from '#shared/admin/changed-meanwhile.ts';
import { showFailure } from '#shared/admin/failure-text.ts';
import { errorMessage } from '#shared/api-client.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { useForm } from '#shared/use-form.ts';
import { setLimits, TIER_LIMIT_PROPOSALS, TIER_LIMITS_KEY, tierLimitsQuery } from './admin-limits.api.ts';
import { LIMIT_NAMES } from './limit-names.ts';

const MESSAGES = i18n('admin/limit-form', {
  submit: 'Save limits',
  submitting: 'Saving...',
  done: 'Limits changed',
  doneDetail: 'They apply from now on.',
  waiting: 'Waiting for another administrator',
  waitingDetail: 'Higher limits take effect once another administrator approves them.',
  failed: 'The limits were not changed',
  changedMeanwhile: 'Another administrator has changed these limits. Check the new values and save again.',
});

/** Changes the limits of one tier in one currency; higher ones wait for another administrator. */
export function LimitForm({ limits, onDone }: { limits: TierLimits; onDone: () => void }) {
  const t = useStore(MESSAGES);
  const names = useStore(LIMIT_NAMES);
  const client = useQueryClient();
  const [shown, setShown] = useState(limits);
  const form = useForm(SetLimits, { ...limits });
  const showLatest = async (): Promise<void> => {
    const inForce = await client.fetchQuery(tierLimitsQuery());
    const latest = inForce.find(({ tier, currency }) => tier === shown.tier && currency === shown.currency);
    if (!latest) return;
    const typed = LIMIT_KINDS.filter((kind) => form.values[kind] !== shown[kind]);
    form.setValues({ ...latest, ...Object.fromEntries(typed.map((kind) => [kind, form.values[kind]])) });
    setShown(latest);
  };
  const saving = useMutation({
    mutationFn: (values: TierLimits) => setLimits({ ...values, replaces: shown }),
    meta: { silent: true },
    onSuccess({ proposal, limits: saved }) {
      client.setQueryData(TIER_LIMITS_KEY, saved);
      const [title, description] = proposal ? [t.waiting, t.waitingDetail] : [t.done, t.doneDetail];
      showToast({ title, description, tone: 'success' });
      onDone();
    },
    async onError(error) {
      if (!isChangedMeanwhile(error)) return showFailure(t.failed, error, errorMessage(error));
      // If they cannot be read either, the next attempt is refused too, and reads them again.
      await showLatest().catch(() => undefined);
      showError(t.failed, t.changedMeanwhile);
    },
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
        {LIMIT_KINDS.map((kind) => (
          <AmountField key={kind} {...form.field(kind)} currency={limits.currency} label={names[kind]} />
        ))}
      </AdminForm>
    </div>
  );
}
