import { useStore } from '@nanostores/react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { DAY_MS, dayOf } from '@vuka/contracts/http/days';
import { RequestReconciliation } from '@vuka/contracts/http/reconciliation';
import { AdminForm } from '#shared/admin/admin-form.tsx';
import { showFailure } from '#shared/admin/failure-text.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useForm } from '#shared/use-form.ts';
import { RECONCILIATION_KEY, requestReconciliation } from './reconciliation.api.ts';

const MESSAGES = i18n('admin/reconciliation-run', {
  title: 'Compare a day',
  day: 'Day',
  hint: 'East Africa Time, at most 30 days back',
  submit: 'Compare',
  submitting: 'Starting...',
  done: 'Comparison started',
  failed: 'The comparison was not started',
});

export function RunForm() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  const form = useForm(RequestReconciliation, { day: dayOf(Date.now() - DAY_MS) });
  const asking = useMutation({
    mutationFn: requestReconciliation,
    meta: { silent: true },
    onSuccess: () => showToast({ title: t.done, tone: 'success' }),
    onError: (error) => showFailure(t.failed, error, t.failed),
    onSettled: () => client.invalidateQueries({ queryKey: RECONCILIATION_KEY }),
  });
  return (
    <Card title={t.title}>
      <AdminForm
        form={form}
        submit={t.submit}
        submitting={t.submitting}
        isPending={asking.isPending}
        isOneRow
        onSubmit={() => asking.mutate(form.values.day)}
      >
        <TextField {...form.field('day')} type="date" label={t.day} hint={t.hint} className="min-w-0 max-w-60" />
      </AdminForm>
    </Card>
  );
}
