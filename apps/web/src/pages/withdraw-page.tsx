import { Withdraw } from '#features/withdrawals/withdraw.tsx';

/** Each step has its own heading. */
export function WithdrawPage() {
  return <Withdraw />;
}
