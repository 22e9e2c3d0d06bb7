// The network that a number was first assigned to. People keep their number when they change network, so this is only a
// hint.
const KENYA: readonly [string, string][] = [
  ['M-Pesa (Safaricom)', '70 71 72 740 741 742 743 745 746 748 757 758 759 768 769 79 110 111 112 113 114 115 116 117'],
  ['Airtel Money', '73 750 751 752 753 754 755 756 762 78 100 101 102 103 104 105 106 107 108 109'],
  ['T-Kash (Telkom)', '77'],
];
const TANZANIA: readonly [string, string][] = [
  ['M-Pesa (Vodacom)', '74 75 76 79'],
  ['Mixx by Yas', '65 67 70 71 77'],
  ['Airtel Money', '66 68 69 78'],
  ['HaloPesa', '61 62 63'],
  ['T-Pesa (TTCL)', '73'],
];

const NETWORKS = { '+254': KENYA, '+255': TANZANIA } as const;

/** The mobile-money network that a number was first assigned to, from its prefix and local digits. */
export function networkOf(prefix: '+254' | '+255', digits: string): string | undefined {
  return NETWORKS[prefix].find(([, starts]) => starts.split(' ').some((start) => digits.startsWith(start)))?.[0];
}
