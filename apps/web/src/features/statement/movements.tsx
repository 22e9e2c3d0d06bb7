import { params } from '@nanostores/i18n';
import { useStore } from '@nanostores/react';
import type { StatementMovement } from '@vuka/contracts/http/statements';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { formatExact } from '#shared/format/exact-amount.ts';
import { formatPhone } from '#shared/format/phone.ts';
import { unbroken } from '#shared/format/unbroken.ts';
import { systemName } from '#shared/house.ts';
import { i18n } from '#shared/i18n/i18n.ts';
import { receiptPath } from '#shared/paths.ts';
import { Card } from '#shared/ui/card.tsx';
import { Moment } from '#shared/ui/moment.tsx';

const MESSAGES = i18n('movements', {
  title: 'Money in and out',
  date: 'Date',
  description: 'Description',
  amount: 'Amount',
  fee: 'Fee',
  balance: 'Balance',
  balanceAfter: params('Balance {amount}'),
  feeOf: params('Fee {amount}'),
  deposit: params('Credit from {system}'),
  sent: 'Sent',
  sentTo: params('Sent to {phone}'),
  received: 'Received from a merchant',
  none: 'Nothing moved in this period.',
  more: 'The first 500 movements are shown. The CSV file has all of them.',
});

function useDescription() {
  const t = useStore(MESSAGES);
  return ({ kind, recipientPhone }: StatementMovement): string => {
    if (kind === 'sent' && recipientPhone) return t.sentTo({ phone: unbroken(formatPhone(recipientPhone)) });
    return kind === 'deposit' ? t.deposit({ system: systemName() }) : t[kind];
  };
}

const isIn = ({ moneyIn }: StatementMovement): boolean => /[1-9]/.test(moneyIn);
const hasFee = ({ fee }: StatementMovement): boolean => /[1-9]/.test(fee);

function amountText(movement: StatementMovement): string {
  const amount = isIn(movement) ? `+${formatExact(movement.moneyIn)}` : `-${formatExact(movement.moneyOut)}`;
  return `${amount} ${movement.currency}`;
}

const keyOf = (movement: StatementMovement): string =>
  `${movement.transactionId} ${movement.currency} ${movement.kind}`;

function Description({ movement }: { movement: StatementMovement }) {
  const describe = useDescription();
  return (
    <Link
      to={receiptPath(movement.transactionId)}
      className="nums rounded-chip font-medium text-primary hover:underline print:text-ink"
    >
      {describe(movement)}
    </Link>
  );
}

function Table({ movements }: { movements: readonly StatementMovement[] }) {
  const t = useStore(MESSAGES);
  const head = 'px-2 py-2 text-caption font-semibold text-ink2';
  return (
    <table className="nums w-full text-left text-small print:text-caption">
      <thead className="border-b border-line">
        <tr>
          <th className={`${head} pl-5 print:pl-2`}>{t.date}</th>
          <th className={head}>{t.description}</th>
          <th className={`${head} text-right`}>{t.amount}</th>
          <th className={`${head} text-right`}>{t.fee}</th>
          <th className={`${head} pr-5 text-right print:pr-2`}>{t.balance}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {movements.map((movement) => (
          <tr key={keyOf(movement)} className="break-inside-avoid">
            <td className="py-2.5 pr-2 pl-5 whitespace-nowrap text-ink2 print:py-1 print:pl-2">
              <Moment at={movement.at} />
            </td>
            <td className="px-2">
              <Description movement={movement} />
            </td>
            <td className="px-2 text-right font-semibold whitespace-nowrap">{amountText(movement)}</td>
            <td className="px-2 text-right whitespace-nowrap text-ink2">
              {hasFee(movement) ? formatExact(movement.fee) : '–'}
            </td>
            <td className="py-2.5 pr-5 pl-2 text-right whitespace-nowrap print:py-1 print:pr-2">
              {formatExact(movement.balance)} {movement.currency}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Two values at the ends of a line. Where the line is too short, the second one is below, and still at the right. */
function Ends({ children }: { children: ReactNode }) {
  return <span className="flex flex-wrap items-baseline justify-between gap-x-1">{children}</span>;
}

function List({ movements }: { movements: readonly StatementMovement[] }) {
  const t = useStore(MESSAGES);
  return (
    <ul className="mt-3 divide-y divide-line border-t border-line">
      {movements.map((movement) => (
        <li key={keyOf(movement)} className="nums px-4 py-3">
          <div className="text-small">
            <Ends>
              <span className="min-w-0 flex-1 basis-24">
                <Description movement={movement} />
              </span>
              <span className="ml-auto font-semibold whitespace-nowrap">{amountText(movement)}</span>
            </Ends>
          </div>
          <Ends>
            <span className="text-caption text-ink3">
              <Moment at={movement.at} />
            </span>
            <span className="ml-auto text-right text-caption text-ink3">
              {t.balanceAfter({ amount: `${formatExact(movement.balance)} ${movement.currency}` })}
            </span>
          </Ends>
          {hasFee(movement) ? (
            <p className="text-caption text-ink2">{t.feeOf({ amount: formatExact(movement.fee) })}</p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface MovementsProps {
  /** What can be done with the statement. */
  actions: ReactNode;
  movements: readonly StatementMovement[];
  hasMore: boolean;
}

/** Every booking with the balance after it: cards on a phone, a table on a wide screen and on paper. */
export function Movements({ actions, movements, hasMore }: MovementsProps) {
  const t = useStore(MESSAGES);
  return (
    <Card title={t.title} aside={actions} className="overflow-hidden print:overflow-visible">
      {movements.length === 0 ? (
        <p className="px-4 pb-6 text-ink2 sm:px-5">{t.none}</p>
      ) : (
        <>
          <div className="hidden md:block print:block">
            <Table movements={movements} />
          </div>
          <div className="md:hidden print:hidden">
            <List movements={movements} />
          </div>
        </>
      )}
      {hasMore ? <p className="border-t border-line px-4 py-4 text-small text-ink2 sm:px-5">{t.more}</p> : null}
    </Card>
  );
}
