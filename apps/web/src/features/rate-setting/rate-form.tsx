import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RateHistoryItem } from '@vuka/contracts/http/rates';
import { RATED } from '@vuka/money/directions';
import { useId, useRef, useState } from 'react';
import { AdminForm } from '#shared/admin/admin-form.tsx';
import { isChangedMeanwhile } from '#shared/admin/changed-meanwhile.ts';
import { showFailure } from '#shared/admin/failure-text.ts';
import { ratesQuery } from '#shared/api/rates.api.ts';
import { formatRate } from '#shared/format/rate.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { showError, showToast } from '#shared/toast-store.ts';
import { Card } from '#shared/ui/card.tsx';
import { momentText } from '#shared/ui/moment.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { ConfirmRateDialog } from './confirm-rate-dialog.tsx';
import { RateEffect } from './rate-effect.tsx';
import { changePercent, previewRates, type RateInput, rateProblem, SMALL_CHANGE_PERCENT } from './rate-input.ts';
import { RATE_PROPOSALS, rateHistoryQuery, updateRates } from './rate-setting.api.ts';

const MESSAGES = i18n('admin/rate-form', {
  title: 'Set the rate',
  inForce: params('In force since {time} · {name}'),
  buyRate: 'Provider buy rate',
  buyRateHint: params('{target} for 1 {source} at the provider'),
  markup: 'Markup percent',
  markupHint: 'From 0 to 100',
  sellRate: 'Sell rate',
  sellRateHint: 'What merchants get, computed',
  submit: 'Update rates',
  submitting: 'Updating...',
  done: 'Rates Updated',
  doneDetail: params('{rate} from now on'),
  waiting: 'Waiting for another administrator',
  waitingDetail: 'The change is large. The current rate stays in force until another administrator approves it.',
  failed: 'Update Failed',
  failedDetail: 'Failed to update rates',
  changedMeanwhile: 'Another administrator has changed the rate. Check the new values and update again.',
  notKnown: 'The current rate has not loaded yet. Please try again in a moment.',
  input: 'Invalid Input',
  inputDetail: 'Please enter valid numbers for both fields',
  range: 'Invalid Markup',
  rangeDetail: 'Markup percentage must be between 0 and 100',
});

/** No field was typed in yet: each shows the rate in force. */
const UNTOUCHED: Partial<RateInput> = {};

/**
 * Keeps the characters of a number, so that a malformed one gets an error message instead of being changed silently.
 */
function filterRate(typed: string): string {
  return typed.replace(',', '.').replace(/\s/g, '').slice(0, 14);
}

function inputOf(typed: Partial<RateInput>, current: { buyRate: number; markup: number } | undefined): RateInput {
  return {
    buyRate: typed.buyRate ?? String(current?.buyRate ?? ''),
    markup: typed.markup ?? String(current?.markup ?? ''),
  };
}

/** Typing replaces the rate in force. */
function selectAll({ target }: { target: HTMLInputElement }): void {
  target.select();
}

/**
 * What is typed, on top of the rate that was in force when typing began: the fields that were not typed in keep showing
 * that one, so that nothing changes under the administrator's eyes.
 */
function useRateInput(current: RateHistoryItem | undefined) {
  const [typed, setTyped] = useState(UNTOUCHED);
  const [begunAt, setBegunAt] = useState<RateHistoryItem>();
  const shown = begunAt ?? current;
  return {
    input: inputOf(typed, shown),
    shown,
    type(field: keyof RateInput, text: string): void {
      setTyped({ ...typed, [field]: filterRate(text) });
      setBegunAt(shown);
    },
    /** Shows this rate, or the current one, in the fields that were not typed in. */
    show(rate: RateHistoryItem | undefined, next = typed): void {
      setTyped(next);
      setBegunAt(rate);
    },
  };
}

export function RateForm() {
  const t = useStore(MESSAGES);
  const formRef = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<ReturnType<typeof rateProblem>>();
  const [isConfirming, setIsConfirming] = useState(false);
  const history = useQuery(rateHistoryQuery());
  const current = history.data?.[0];
  const { input, shown, type, show } = useRateInput(current);
  const update = useUpdateRates(shown?.id, { onDone: () => show(undefined, UNTOUCHED), onChanged: show });
  const preview = previewRates(input);
  const texts = { input: [t.input, t.inputDetail], markup: [t.range, t.rangeDetail] } as const;

  const change = (field: keyof RateInput, text: string): void => {
    type(field, text);
    setProblem(undefined);
  };
  const save = (): void => {
    setIsConfirming(false);
    update.mutate(input);
  };
  const validate = (): boolean => {
    const found = rateProblem(input);
    setProblem(found);
    if (!found) return true;
    showError(...texts[found.kind]);
    formRef.current?.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
    return false;
  };
  const submit = (): void => {
    const to = { buyRate: Number(input.buyRate), sellRate: preview?.kesToTzs ?? 0 };
    // Only an empty history means that there is no rate to compare with.
    if (!history.data) {
      showError(t.failed, t.notKnown);
      void history.refetch();
      // If another rate was set meanwhile, the server refuses the change.
    } else if (current && current.id === shown?.id && changePercent(current, to) > SMALL_CHANGE_PERCENT) {
      setIsConfirming(true);
    } else save();
  };
  return (
    <Card title={t.title} aside={current && <InForce rate={current} />}>
      <AdminForm
        form={{ formRef, validate }}
        submit={t.submit}
        submitting={t.submitting}
        isPending={update.isPending}
        onSubmit={submit}
      >
        <div className="grid max-w-wide gap-4 xs:grid-cols-2 sm:grid-cols-3">
          {(['buyRate', 'markup'] as const).map((name) => (
            <TextField
              key={name}
              name={name}
              label={t[name]}
              hint={name === 'buyRate' ? t.buyRateHint(RATED) : t.markupHint}
              value={input[name]}
              error={problem?.field === name ? texts[problem.kind][1] : undefined}
              inputMode="decimal"
              autoComplete="off"
              className="nums"
              onFocus={selectAll}
              onChange={(text) => change(name, text)}
            />
          ))}
          <SellRateField rate={preview?.kesToTzs} />
        </div>
        {preview ? <RateEffect {...preview} buyRate={Number(input.buyRate)} before={current?.sellRate} /> : null}
      </AdminForm>
      {isConfirming && current && preview ? (
        <ConfirmRateDialog
          current={current}
          next={{ buyRate: input.buyRate, sellRate: preview.kesToTzs }}
          onClose={() => setIsConfirming(false)}
          onConfirm={save}
        />
      ) : null}
    </Card>
  );
}

/** When, and by whom, the rate in force was set. */
function InForce({ rate }: { rate: RateHistoryItem }) {
  const t = useStore(MESSAGES);
  return (
    <p className="nums pb-1 text-caption text-ink3">
      {t.inForce({ time: momentText(rate.createdAt), name: rate.updatedByName })}
    </p>
  );
}

function SellRateField({ rate }: { rate: number | undefined }) {
  const t = useStore(MESSAGES);
  const id = useId();
  return (
    <div className="xs:col-span-2 sm:col-span-1">
      <label htmlFor={id} className="mb-1.5 block text-small font-medium text-ink2">
        {t.sellRate}
      </label>
      <output id={id} className="nums flex items-center text-title font-bold tracking-amount sm:min-h-12">
        {rate?.toFixed(3) ?? '–'}
      </output>
      <p className="mt-1.5 text-caption text-ink3">{t.sellRateHint}</p>
    </div>
  );
}

interface UpdateOutcomes {
  onDone: () => void;
  onChanged: (latest: RateHistoryItem | undefined) => void;
}

/** `shownId`: the rate that the form was filled with. Refused if another one is in force by then. */
function useUpdateRates(shownId: string | undefined, { onDone, onChanged }: UpdateOutcomes) {
  const t = useStore(MESSAGES);
  const client = useQueryClient();
  return useMutation({
    mutationFn: (rates: RateInput) => updateRates({ ...rates, replaces: shownId }),
    meta: { silent: true },
    async onSuccess(answer) {
      onDone();
      if (answer && 'proposal' in answer) {
        showToast({ title: t.waiting, description: t.waitingDetail, tone: 'success' });
      } else {
        const rate = answer && formatRate(RATED.source, RATED.target, answer.kesToTzs);
        showToast({ title: t.done, ...(rate && { description: t.doneDetail({ rate }) }), tone: 'success' });
      }
      await Promise.all([
        client.invalidateQueries({ queryKey: RATE_PROPOSALS.key }),
        client.invalidateQueries({ queryKey: rateHistoryQuery().queryKey }),
        client.invalidateQueries({ queryKey: ratesQuery().queryKey }),
      ]);
    },
    async onError(error) {
      if (!isChangedMeanwhile(error)) return showFailure(t.failed, error, t.failedDetail);
      // If it cannot be read either, the next update is refused too, and reads it again.
      const history = await client.fetchQuery(rateHistoryQuery()).catch(() => undefined);
      if (history) onChanged(history[0]);
      showError(t.failed, t.changedMeanwhile);
    },
  });
}
