import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { USER_KEY } from '#shared/session.ts';
import { followOtherTabs, sessionEndsAt, watchUse } from '#shared/use-of-session.ts';

const WARN_MS = 60_000;
const CHECK_EVERY_MS = 5_000;

/**
 * When the session ends, once that is less than a minute away; undefined before. The server is asked first and
 * every few seconds from then on: whoever used the app in this tab since the last request stays signed in by that
 * very question, whoever uses another tab is noticed, and the end itself is the server's to say. Without an
 * answer nothing ends.
 */
export function useSessionEnd() {
  const client = useQueryClient();
  const [warnedEndMs, setWarnedEndMs] = useState<number>();
  const ask = useCallback(async (): Promise<boolean> => {
    await client.refetchQueries({ queryKey: USER_KEY, exact: true });
    return client.getQueryState(USER_KEY)?.status === 'success';
  }, [client]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const leftMs = (): number => (sessionEndsAt.get() ?? Number.POSITIVE_INFINITY) - Date.now();
    const check = async (): Promise<void> => {
      await ask();
      const isNear = leftMs() <= WARN_MS && leftMs() > 0;
      setWarnedEndMs(isNear ? sessionEndsAt.get() : undefined);
      plan();
    };
    const plan = (): void => {
      clearTimeout(timer);
      if (leftMs() === Number.POSITIVE_INFINITY) return;
      if (leftMs() > WARN_MS) setWarnedEndMs(undefined);
      timer = setTimeout(() => void check(), Math.max(leftMs() - WARN_MS, CHECK_EVERY_MS));
    };
    const stops = [watchUse(), followOtherTabs(), sessionEndsAt.subscribe(plan)];
    return () => {
      for (const stop of stops) stop();
      clearTimeout(timer);
    };
  }, [ask]);

  return { endsAtMs: warnedEndMs, ask };
}
