import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Fee } from '@vuka/contracts/http/fees';
import { useState } from 'react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { Dialog } from '#shared/admin/dialog.tsx';
import { failureText } from '#shared/admin/failure-text.ts';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { formatAmount } from '#shared/format/money.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Button } from '#shared/ui/button.tsx';
import { Card } from '#shared/ui/card.tsx';
import { FEES_KEY, feesQuery, removeFee } from './fees.api.ts';

const MESSAGES = i18n('admin/fee-table', {
  title: 'Fees in force',
  empty: 'Nothing is charged: there are no fees.',
  loadFailed: 'The fees could not be loaded',
  type: 'Type',
  transfer: 'Transfer',
  withdrawal: 'Withdrawal',
  amounts: 'Amounts',
  between: params('{from} to below {below}'),
  upwards: params('{from} and more'),
  fixedFee: 'Fixed fee',
  percentageFee: 'Percentage',
  addedBy: 'Added by',
  actions: 'Actions',
  remove: 'Remove',
  removeTitle: 'Remove this fee?',
  removeDetail: params('{type}, {amounts}: nothing more is charged for these. Prices that are held keep theirs.'),
  cancel: 'Cancel',
  confirmRemove: 'Remove fee',
  removed: 'Fee removed',
  failed: 'The fee was not removed',
});

type Texts = ReturnType<typeof MESSAGES.get>;

function amountsText({ minAmount, maxAmount, currency }: Fee, t: Texts): string {
  const from = formatAmount(minAmount, currency);
  return maxAmount ? t.between({ from, below: formatAmount(maxAmount, currency) }) : t.upwards({ from });
}

function useRemove() {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: removeFee,
    meta: { silent: true },
    onSuccess: () => showToast({ title: t.removed, tone: 'success' }),
    onError: (error) => showError(t.failed, failureText(error, t.failed)),
    onSettled: () => client.invalidateQueries({ queryKey: FEES_KEY }),
  });
}

export function FeeTable() {
  const t = useStore(MESSAGES);
  const query = useQuery(feesQuery());
  const [asked, setAsked] = useState<Fee>();
  const { mutate: remove } = useRemove();
  return (
    <Card title={t.title}>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(fees) => <Fees fees={fees} onRemove={setAsked} />}
      </QueryBody>
      {asked ? (
        <Dialog title={t.removeTitle} onClose={() => setAsked(undefined)}>
          <div className="grid gap-5 px-5 pb-5">
            <p className="text-small text-ink2">
              {t.removeDetail({ type: t[asked.transactionType], amounts: amountsText(asked, t) })}
            </p>
            <div className="flex flex-wrap justify-end gap-2">
              <Button variant="secondary" onClick={() => setAsked(undefined)}>
                {t.cancel}
              </Button>
              <Button
                variant="danger"
                onClick={() => {
                  setAsked(undefined);
                  remove(asked.id);
                }}
              >
                {t.confirmRemove}
              </Button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </Card>
  );
}

function Fees({ fees, onRemove }: { fees: readonly Fee[]; onRemove: (fee: Fee) => void }) {
  const t = useStore(MESSAGES);
  const action = (fee: Fee) => (
    <Button variant="danger" size="small" onClick={() => onRemove(fee)}>
      {t.remove}
    </Button>
  );
  const columns: Column<Fee>[] = [
    { key: 'type', header: t.type, cell: (fee) => t[fee.transactionType] },
    { key: 'amounts', header: t.amounts, cell: (fee) => amountsText(fee, t), className: 'nums whitespace-nowrap' },
    { key: 'fixed', header: t.fixedFee, align: 'right', cell: (fee) => `${fee.fixedFee} ${fee.currency}` },
    { key: 'percentage', header: t.percentageFee, align: 'right', cell: (fee) => `${fee.percentageFee} %` },
    { key: 'by', header: t.addedBy, cell: (fee) => fee.updatedByName ?? '' },
    { key: 'actions', header: t.actions, cell: action, isPinned: true },
  ];
  return (
    <DataTable
      label={t.title}
      columns={columns}
      rows={fees}
      rowKey={(fee) => fee.id}
      empty={<p className="text-ink2">{t.empty}</p>}
      card={(fee) => (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <div className="nums text-small">
            <p className="font-semibold">
              {t[fee.transactionType]}: {fee.fixedFee} {fee.currency} + {fee.percentageFee} %
            </p>
            <p className="text-ink2">{amountsText(fee, t)}</p>
          </div>
          {action(fee)}
        </div>
      )}
    />
  );
}
