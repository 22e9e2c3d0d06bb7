import { SendMoney } from '#features/transfers/send-money.tsx';
import { lazyExtra } from '#shared/lazy-extra.tsx';
import { useSessionUser } from '#shared/session.ts';

const LastTransfer = lazyExtra(() =>
  import('#features/transactions/last-transfer.tsx').then((file) => file.LastTransfer),
);

export function SendMoneyPage() {
  const user = useSessionUser();
  if (!user) return null;
  return <SendMoney key={user.id} user={user} renderLastTransfer={(id) => <LastTransfer key={id} id={id} />} />;
}
