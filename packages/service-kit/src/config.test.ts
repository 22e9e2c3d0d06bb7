import { expect, test } from 'vitest';
import { ConfigError, readConfig, timerSeconds } from './config.ts';

const everySeconds = (value: string) => readConfig({ EVERY_SECONDS: timerSeconds(60) }, { EVERY_SECONDS: value });

test('a timer setting is a delay that Node timers support', () => {
  expect(everySeconds('')).toEqual({ EVERY_SECONDS: 60 });
  expect(everySeconds('0.5')).toEqual({ EVERY_SECONDS: 0.5 });
  expect(everySeconds('2147483')).toEqual({ EVERY_SECONDS: 2_147_483 });
  for (const value of ['0', '-1', '2147484', '3000000', 'soon']) expect(() => everySeconds(value)).toThrow(ConfigError);
});
