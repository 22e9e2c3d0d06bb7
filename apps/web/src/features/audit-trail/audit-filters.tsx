import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { AUDIT_ACTIONS } from '@vuka/contracts/http/audit-actions';
import type { AuditTrailFilters } from '@vuka/contracts/http/audit-trail';
import { SlidersHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { FilterField } from '#shared/admin/filter-field.tsx';
import { formatDay } from '#shared/format/date.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { ModalDialog } from '#shared/ui/modal-dialog.tsx';
import { SelectField } from '#shared/ui/select-field.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { useMediaQuery, WIDE } from '#shared/use-media-query.ts';
import type { AuditFilter } from './audit-trail.api.ts';
import { AUDIT_WORDS, actionText } from './audit-words.ts';

const MESSAGES = i18n('admin/audit-filters', {
  search: 'Search by administrator, subject or any value',
  searchFor: 'Administrator or any value',
  filter: 'Filter',
  sheet: 'Filter the actions',
  apply: 'Show results',
  active: 'Active filters',
  remove: params('Remove filter: {filter}'),
  actor: params('Administrator: {name}'),
  action: 'Action',
  subject: params('Subject: {name}'),
  from: 'From',
  to: 'To',
  fromDay: params('From {day}'),
  toDay: params('To {day}'),
  all: 'All',
});

type Change = (changes: Partial<Record<AuditFilter, string>>) => void;

interface AuditFiltersProps {
  filters: AuditTrailFilters;
  /** The text in the address, including spaces at its ends, so that typing is not disturbed. */
  typed: URLSearchParams;
  onChange: Change;
}

/** One search over everything, with the filters in its row; on a phone they are in a sheet. */
export function AuditFilters({ filters, typed, onChange }: AuditFiltersProps) {
  const t = useStore(MESSAGES);
  const isWide = useMediaQuery(WIDE);
  const [isFiltering, setIsFiltering] = useState(false);
  return (
    <div className="px-4 pt-1 pb-4 sm:px-5">
      <div className="flex flex-wrap items-end gap-3 md:grid md:grid-cols-3 xl:grid-cols-[minmax(0,1fr)_13rem_11rem_11rem]">
        <div className="min-w-0 flex-1 basis-32 md:max-xl:col-span-3">
          <FilterField
            label={t.search}
            placeholder={t.searchFor}
            hasLabel={isWide}
            maxLength={100}
            value={typed.get('q') ?? ''}
            onChange={(q) => onChange({ q })}
          />
        </div>
        {isWide ? (
          <Fields filters={filters} onChange={onChange} />
        ) : (
          <Button variant="secondary" onClick={() => setIsFiltering(true)}>
            <SlidersHorizontal aria-hidden className="size-5" />
            {t.filter}
          </Button>
        )}
      </div>
      <Chips filters={filters} onChange={onChange} />
      {isFiltering && !isWide ? (
        <Sheet filters={filters} onChange={onChange} onClose={() => setIsFiltering(false)} />
      ) : null}
    </div>
  );
}

interface FieldsProps {
  filters: AuditTrailFilters;
  onChange: Change;
}

function Fields({ filters, onChange }: FieldsProps) {
  const t = useStore(MESSAGES);
  const words = useStore(AUDIT_WORDS);
  return (
    <>
      <SelectField
        label={t.action}
        value={filters.action ?? ''}
        options={[
          { value: '', label: t.all },
          ...AUDIT_ACTIONS.map((action) => ({ value: action, label: words[action] })),
        ]}
        onChange={(action) => onChange({ action })}
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

/** Chosen together and applied as one. */
function Sheet({ filters, onChange, onClose }: FieldsProps & { onClose: () => void }) {
  const t = useStore(MESSAGES);
  const [draft, setDraft] = useState<Parameters<Change>[0]>({});
  const apply = (): void => {
    onChange(draft);
    onClose();
  };
  return (
    <ModalDialog isSheet title={t.sheet} onCancel={onClose}>
      <div className="mt-4 grid gap-4">
        <Fields
          filters={{ ...filters, ...draft } as AuditTrailFilters}
          onChange={(changes) => setDraft({ ...draft, ...changes })}
        />
        <Button onClick={apply}>{t.apply}</Button>
      </div>
    </ModalDialog>
  );
}

/** Also the administrator and the subject that a link to this page names. */
function Chips({ filters, onChange }: FieldsProps) {
  const t = useStore(MESSAGES);
  const words = useStore(AUDIT_WORDS);
  const { actor, action, subject, from, to } = filters;
  const chips = [
    actor && (['actor', t.actor({ name: actor })] as const),
    subject && (['subject', t.subject({ name: subject })] as const),
    action && (['action', actionText(words, action)] as const),
    from && (['from', t.fromDay({ day: formatDay(from) })] as const),
    to && (['to', t.toDay({ day: formatDay(to) })] as const),
  ].filter((chip) => chip !== undefined && chip !== '');
  if (chips.length === 0) return null;
  return (
    <ul aria-label={t.active} className="mt-3 flex flex-wrap gap-2">
      {chips.map(([name, label]) => (
        <li key={name} className="min-w-0">
          <button
            type="button"
            aria-label={t.remove({ filter: label })}
            className="nums flex min-h-9 items-center gap-1 rounded-full bg-primary-soft pr-2 pl-3 text-left text-small font-medium text-primary-ink [overflow-wrap:anywhere] hover:bg-line"
            onClick={() => onChange({ [name]: '' })}
          >
            {label}
            <X aria-hidden className="size-4 shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}
