import { useStore } from '@nanostores/react';
import type { TransactionFilters } from '@vuka/contracts/http/transaction-filters';
import { DIRECTIONS } from '@vuka/money/directions';
import { i18n } from '#shared/i18n/i18n.ts';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import type { FilterChange } from './history-filters.ts';
import { directionText } from './transaction-view.ts';

export const FILTER_MESSAGES = i18n('filter-fields', {
  status: 'Status',
  direction: 'Direction',
  from: 'From',
  to: 'To',
  all: 'All',
  clear: 'Clear filters',
  PENDING: 'Pending',
  PROCESSING: 'Processing',
  SETTLED: 'Settled',
  FAILED: 'Failed',
  CANCELLED: 'Cancelled',
});

const STATUSES = ['PENDING', 'PROCESSING', 'SETTLED', 'FAILED', 'CANCELLED'] as const;

interface FilterFieldsProps {
  filters: TransactionFilters;
  selectClass?: string;
  onChange: (change: FilterChange) => void;
}

export function FilterFields({ filters, selectClass, onChange }: FilterFieldsProps) {
  const t = useStore(FILTER_MESSAGES);
  const all = { value: '', label: t.all };
  return (
    <>
      <SelectField
        label={t.status}
        className={selectClass}
        value={filters.status ?? ''}
        options={[all, ...STATUSES.map((status) => ({ value: status, label: t[status] }))]}
        onChange={(status) => onChange({ status })}
      />
      <SelectField
        label={t.direction}
        className={selectClass}
        value={filters.direction ?? ''}
        options={[all, ...DIRECTIONS.map((value) => ({ value, label: directionText(value, '', '') }))]}
        onChange={(direction) => onChange({ direction })}
      />
      <TextField
        type="date"
        label={t.from}
        value={filters.from ?? ''}
        max={filters.to}
        onChange={(from) => onChange({ from })}
      />
      <TextField
        type="date"
        label={t.to}
        value={filters.to ?? ''}
        min={filters.from}
        onChange={(to) => onChange({ to })}
      />
    </>
  );
}
