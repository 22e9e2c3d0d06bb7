import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import { PinConfirmation } from '@vuka/contracts/http/common';
import type { Fee } from '@vuka/contracts/http/fees';
import { Percent } from 'lucide-react';
import { useState } from 'react';
import { type Column, DataTable } from '#shared/admin/data-table.tsx';
import { DecisionDialog } from '#shared/admin/decision-dialog.tsx';
import { QueryBody } from '#shared/admin/query-body.tsx';
import { RowButton } from '#shared/admin/row-button.tsx';
import { useMayDo } from '#shared/admin/use-may-do.ts';
import { formatExactAmount } from '#shared/format/exact-amount.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Card } from '#shared/ui/card.tsx';
import { EmptyState } from '#shared/ui/empty-state.tsx';
import { FEES_KEY, feesQuery, removeFee } from './fees.api.ts';

const MESSAGES = i18n('admin/fee-table', {
  title: 'Fees in force',
  empty: 'There are no fees, so nothing is charged.',
  loadFailed: 'The fees could not be loaded',
  type: 'Type',
  transfer: 'Transfer',
  withdrawal: 'Withdrawal',
  amounts: 'Amounts',
  between: params('{from} to below {below}'),
  upwards: params('{from} and more'),
  below: params('below {below}'),
  any: params('any amount in {currency}'),
  fixedFee: 'Fixed fee',
  percentageFee: 'Percentage',
  addedBy: 'Added by',
  actions: 'Actions',
  remove: 'Remove',
  removeTitle: 'Remove this fee?',
  removeDetail: params('{type}, {amounts}: these are no longer charged. Prices that are already held do not change.'),
  confirmRemove: 'Remove fee',
  removed: 'Fee removed',
  failed: 'The fee was not removed',
});

type Texts = ReturnType<typeof MESSAGES.get>;

function amountsText({ minAmount, maxAmount, currency }: Fee, t: Texts): string {
  const isFromZero = Number(minAmount) === 0;
  const from = formatExactAmount(minAmount, currency);
  // Names the currency: a fee that is only a percentage is shown without one.
  if (!maxAmount) return isFromZero ? t.any({ currency }) : t.upwards({ from });
  const below = formatExactAmount(maxAmount, currency);
  return isFromZero ? t.below({ below }) : t.between({ from, below });
}

/** "1.5%" for "1.5000" */
const percentText = ({ percentageFee }: Fee): string => `${Number(percentageFee)}%`;

/** "50 KES + 1.5%", without parts that are zero. */
function priceText(fee: Fee): string {
  const fixed = formatExactAmount(fee.fixedFee, fee.currency);
  if (Number(fee.percentageFee) === 0) return fixed;
  return Number(fee.fixedFee) === 0 ? percentText(fee) : `${fixed} + ${percentText(fee)}`;
}

/** A part of a price. Most fees have one that is zero, and says nothing. */
function Part({ of, text }: { of: string; text: string }) {
  return <span className={Number(of) === 0 ? 'text-ink3' : 'font-medium'}>{text}</span>;
}

export function FeeTable() {
  const t = useStore(MESSAGES);
  const query = useQuery(feesQuery());
  const [asked, setAsked] = useState<Fee>();
  return (
    <Card title={t.title}>
      <QueryBody query={query} failed={(detail) => ({ title: t.loadFailed, detail })}>
        {(fees) => <Fees fees={fees} onRemove={setAsked} />}
      </QueryBody>
      {asked ? (
        <DecisionDialog
          title={t.removeTitle}
          detail={t.removeDetail({ type: t[asked.transactionType], amounts: amountsText(asked, t) })}
          confirm={t.confirmRemove}
          isDanger
          schema={PinConfirmation}
          isRemoval
          decide={(typed) => removeFee(asked.id, typed)}
          outcome={{ done: t.removed, failed: t.failed, failedDetail: t.failed }}
          listKey={FEES_KEY}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </Card>
  );
}

function Fees({ fees, onRemove }: { fees: readonly Fee[]; onRemove: (fee: Fee) => void }) {
  const t = useStore(MESSAGES);
  const mayRemove = useMayDo()('fees.set');
  const action = (fee: Fee) => (
    <RowButton isDanger onClick={() => onRemove(fee)}>
      {t.remove}
    </RowButton>
  );
  const columns: Column<Fee>[] = [
    { key: 'type', header: t.type, cell: (fee) => t[fee.transactionType] },
    { key: 'amounts', header: t.amounts, cell: (fee) => amountsText(fee, t), className: 'nums whitespace-nowrap' },
    {
      key: 'fixed',
      header: t.fixedFee,
      align: 'right',
      cell: ({ fixedFee, currency }) => <Part of={fixedFee} text={formatExactAmount(fixedFee, currency)} />,
    },
    {
      key: 'percentage',
      header: t.percentageFee,
      align: 'right',
      cell: (fee) => <Part of={fee.percentageFee} text={percentText(fee)} />,
    },
    { key: 'by', header: t.addedBy, cell: (fee) => fee.updatedByName ?? '' },
    ...(mayRemove ? [{ key: 'actions', header: t.actions, cell: action, isPinned: true }] : []),
  ];
  return (
    <DataTable
      label={t.title}
      columns={columns}
      rows={fees}
      rowKey={(fee) => fee.id}
      empty={<EmptyState Icon={Percent} title={t.empty} />}
      card={(fee) => (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <div className="nums text-small">
            <p className="font-semibold">
              {t[fee.transactionType]}: {priceText(fee)}
            </p>
            <p className="text-ink2">{amountsText(fee, t)}</p>
          </div>
          {mayRemove ? action(fee) : null}
        </div>
      )}
    />
  );
}
