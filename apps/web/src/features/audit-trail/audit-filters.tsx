import { useStore } from '@nanostores/react';
import { AUDIT_ACTIONS } from '@vuka/contracts/http/audit-actions';
import type { AuditTrailFilters } from '@vuka/contracts/http/audit-trail';
import { FilterField } from '#shared/admin/filter-field.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import type { AuditFilter } from './audit-trail.api.ts';
import { AUDIT_WORDS } from './audit-words.ts';

const MESSAGES = i18n('admin/audit-filters', {
  search: 'Search',
  actor: 'Administrator',
  action: 'Action',
  subject: 'Subject',
  from: 'From',
  to: 'To',
  all: 'All',
});

interface AuditFiltersProps {
  filters: AuditTrailFilters;
  /** The text in the address, including spaces at its ends, so that typing is not disturbed. */
  typed: URLSearchParams;
  onChange: (name: AuditFilter, value: string) => void;
}

export function AuditFilters({ filters, typed, onChange }: AuditFiltersProps) {
  const t = useStore(MESSAGES);
  const words = useStore(AUDIT_WORDS);
  const text = (name: 'q' | 'actor' | 'subject', label: string) => (
    <FilterField
      label={label}
      maxLength={100}
      value={typed.get(name) ?? ''}
      onChange={(value) => onChange(name, value)}
    />
  );
  return (
    <div className="grid grid-cols-2 gap-3 px-4 pt-1 pb-4 sm:px-5 lg:grid-cols-3">
      {text('q', t.search)}
      {text('actor', t.actor)}
      <SelectField
        label={t.action}
        value={filters.action ?? ''}
        options={[
          { value: '', label: t.all },
          ...AUDIT_ACTIONS.map((action) => ({ value: action, label: words[action] })),
        ]}
        onChange={(action) => onChange('action', action)}
      />
      {text('subject', t.subject)}
      <TextField
        type="date"
        className="max-sm:col-span-2"
        label={t.from}
        value={filters.from ?? ''}
        max={filters.to}
        onChange={(from) => onChange('from', from)}
      />
      <TextField
        type="date"
        className="max-sm:col-span-2"
        label={t.to}
        value={filters.to ?? ''}
        min={filters.from}
        onChange={(to) => onChange('to', to)}
      />
    </div>
  );
}
