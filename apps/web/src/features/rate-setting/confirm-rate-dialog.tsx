import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import { type FormEvent, useState } from 'react';
import { Dialog } from '#shared/admin/dialog.tsx';
import { i18n } from '#shared/i18n/i18n.ts';
import { Button } from '#shared/ui/button.tsx';
import { TextField } from '#shared/ui/text-field.tsx';
import { changePercent } from './rate-input.ts';

const MESSAGES = i18n('admin/confirm-rate-dialog', {
  title: 'Confirm a large change',
  detail: params('The rate changes by {percent}%. Every transfer is priced with it once it is in force.'),
  from: params('Now: buy {buy}, sell {sell}'),
  to: params('New: buy {buy}, sell {sell}'),
  label: params('Type the new buy rate, {rate}, to confirm'),
  cancel: 'Cancel',
  confirm: 'Change the rate',
});

interface ConfirmRateDialogProps {
  current: { buyRate: number; sellRate: number };
  /** The typed buy rate. */
  next: { buyRate: string; sellRate: number };
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks the administrator to type the new rate again: a misplaced decimal point would be expensive. */
export function ConfirmRateDialog({ current, next, onClose, onConfirm }: ConfirmRateDialogProps) {
  const t = useStore(MESSAGES);
  const [typed, setTyped] = useState('');
  const buyRate = Number(next.buyRate);
  const percent = changePercent(current, { buyRate, sellRate: next.sellRate }).toFixed(1);
  const isRight = typed.trim() !== '' && Number(typed.replace(',', '.')) === buyRate;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isRight) onConfirm();
  };
  return (
    <Dialog title={t.title} onClose={onClose}>
      <form className="grid gap-4 px-5 pb-5" onSubmit={submit}>
        <p className="text-small text-ink2">{t.detail({ percent })}</p>
        <div className="nums text-small">
          <p className="text-ink2">{t.from({ buy: current.buyRate.toFixed(3), sell: current.sellRate.toFixed(3) })}</p>
          <p className="font-semibold">{t.to({ buy: buyRate.toFixed(3), sell: next.sellRate.toFixed(3) })}</p>
        </div>
        <TextField
          label={t.label({ rate: next.buyRate })}
          inputMode="decimal"
          autoComplete="off"
          className="nums"
          value={typed}
          onChange={setTyped}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" disabled={!isRight}>
            {t.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
