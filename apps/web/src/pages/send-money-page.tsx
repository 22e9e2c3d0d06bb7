import { LastTransfer } from '#features/transactions/last-transfer.tsx';
import { SendMoney } from '#features/transfers/send-money.tsx';
import { useSessionUser } from '#shared/session.ts';

export function SendMoneyPage() {
  const user = useSessionUser();
  if (!user) return null;
  return <SendMoney key={user.id} user={user} renderLastTransfer={(id) => <LastTransfer key={id} id={id} />} />;
}
