import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { WalletCurrency } from '@vuka/money/corridors';
import { countryOf } from '@vuka/money/directions';
import { Check, Send, X } from 'lucide-react';
import type { ReceiptTransaction } from '#shared/api/receipts.api.ts';
import { deliveryTime } from '#shared/format/delivery-time.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { NAMES } from '#shared/i18n/names.ts';
import { statusView } from '#shared/status-view.ts';
import { isWallet, walletMarks } from '#shared/ui/wallet-colour.ts';

const MESSAGES = i18n('transfer-line', {
  received: 'Request received',
  sending: 'On its way',
  delivered: 'Delivered',
  deliveredIn: params('Delivered in {time}'),
  failed: 'Not delivered',
});

type Stage = 'received' | 'sending' | 'delivered' | 'failed';

/** The progress of the money as a share of the line. The dot moves, and the line behind it grows. */
const PLACE: Record<Stage, { line: string; dot: string }> = {
  received: { line: 'scale-x-[12%]', dot: 'translate-x-[12%]' },
  sending: { line: 'scale-x-[55%]', dot: 'translate-x-[55%]' },
  delivered: { line: 'scale-x-100', dot: 'translate-x-full' },
  failed: { line: 'scale-x-[55%]', dot: 'translate-x-[55%]' },
};

const LOOK: Record<Stage, { dot: string; words: string; Icon: typeof Send }> = {
  received: { dot: 'bg-primary text-on-primary', words: 'text-ink2', Icon: Send },
  sending: { dot: 'bg-primary text-on-primary', words: 'text-ink2', Icon: Send },
  delivered: { dot: 'bg-ok text-surface', words: 'text-ok-ink', Icon: Check },
  failed: { dot: 'bg-bad text-surface', words: 'text-bad', Icon: X },
};

/** The same places, as numbers. */
const SHARE: Record<Stage, number> = { received: 0.12, sending: 0.55, delivered: 1, failed: 0.55 };

function stageOf({ status }: ReceiptTransaction): Stage {
  const { tone } = statusView(status, 'receipt');
  if (tone === 'green') return 'delivered';
  if (tone === 'red' || status.toUpperCase() === 'CANCELLED') return 'failed';
  return status.toUpperCase() === 'PROCESSING' ? 'sending' : 'received';
}

/** The route of a transfer for a picture: the names of both countries, and the progress of the money from 0 to 1. */
export function routeOf(receipt: ReceiptTransaction): { from: string; to: string; share: number } | undefined {
  const { source_currency: source, target_currency: target } = receipt;
  if (!isWallet(source) || !isWallet(target)) return undefined;
  const names = NAMES.get();
  return { from: names[countryOf(source)], to: names[countryOf(target)], share: SHARE[stageOf(receipt)] };
}

interface TransferLineProps {
  receipt: ReceiptTransaction;
  /** Shows the stage as text below, for places without a timeline. */
  hasWords?: boolean;
}

/** A country, with a dot in the colour of its wallet. */
function Place({ currency, name }: { currency: WalletCurrency; name: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden className={`size-2.5 rounded-full ${walletMarks(currency).dot}`} />
      {name}
    </span>
  );
}

/** The route of the money from one country to the other. The dot moves when the status changes. */
export function TransferLine({ receipt, hasWords = false }: TransferLineProps) {
  const t = useStore(MESSAGES);
  const names = useStore(NAMES);
  const { source_currency: source, target_currency: target } = receipt;
  if (!isWallet(source) || !isWallet(target)) return null;
  const stage = stageOf(receipt);
  const { dot, words, Icon } = LOOK[stage];
  const time = stage === 'delivered' ? deliveryTime(receipt) : undefined;
  return (
    <div className="w-full">
      <div className="flex items-center justify-between gap-3 text-caption font-medium text-ink2">
        <Place currency={source} name={names[countryOf(source)]} />
        <Place currency={target} name={names[countryOf(target)]} />
      </div>
      <div aria-hidden className="relative mt-1 h-6">
        <div className="absolute inset-x-0 top-1/2 h-1 -translate-y-1/2 rounded-full bg-line" />
        <div
          className={`absolute inset-x-0 top-[calc(50%-2px)] h-1 origin-left rounded-full transition-transform duration-500 ${dot} ${PLACE[stage].line}`}
        />
        {/* As long as the dot's path, with the dot at its end: a percentage positions the dot at any window width. */}
        <div
          className={`absolute right-full h-6 w-[calc(100%-1.5rem)] transition-transform duration-500 ${PLACE[stage].dot}`}
        >
          <div className={`absolute left-full grid size-6 place-items-center rounded-full ${dot}`}>
            <Icon className="size-3.5" strokeWidth={stage === 'delivered' ? 3 : 2} />
          </div>
        </div>
      </div>
      {hasWords ? (
        <p role="status" className={`nums mt-1 text-center text-small font-semibold ${words}`}>
          {time ? t.deliveredIn({ time }) : t[stage]}
        </p>
      ) : null}
    </div>
  );
}
