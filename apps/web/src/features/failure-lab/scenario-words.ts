import { FAILURE_SCENARIOS, type FailureScenarioId } from '@vuka/contracts/http/failure-lab-scenarios';
import { i18n } from '#shared/i18n/i18n.ts';

const PARTS = ['name', 'does', 'money'] as const;
type Part = (typeof PARTS)[number];

const english = Object.fromEntries(
  Object.entries(FAILURE_SCENARIOS).flatMap(([id, text]) => PARTS.map((part) => [`${id}.${part}`, text[part]])),
) as Record<`${FailureScenarioId}.${Part}`, string>;

/** The name and description of every scenario; the English comes from the contract. */
export const SCENARIO_WORDS = i18n('admin/failure-scenarios', english);
