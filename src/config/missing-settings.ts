import type { Config } from '../config.ts';

/** Settings whose sections pages leave out. The settings of donations count only when the service takes donations. */
export function listMissing({ operator, donations, litecoin }: Config): string[] {
  const takesDonations =
    litecoin.rpc !== undefined || litecoin.esploraUrl !== undefined || donations.accountKey !== undefined;
  const shown: Readonly<Record<string, unknown>> = {
    OPERATOR_NAME: operator.name,
    OPERATOR_CONTACT: operator.contact,
    PLATFORM_NAME: operator.platformName,
    APPEALS_CONTACT: operator.appealsContact,
    APPEALS_ANSWER_DAYS: operator.appealsAnswerDays,
    REPORTS_CONTACT: operator.reportsContact,
    REPORTS_ANSWER_DAYS: operator.reportsAnswerDays,
    SECURITY_CONTACT: operator.securityContact,
    ...(takesDonations && {
      LITECOIN_PURPOSE: donations.purpose,
      LITECOIN_PREMIUM_MONTH_PLN: donations.premiumMonthPln,
      LITECOIN_PREMIUM_LIFETIME_PLN: donations.premiumLifetimePln,
      LITECOIN_PREMIUM_BENEFITS: donations.premiumBenefits.at(0),
      LITECOIN_HOW_TO_START: donations.howToStart,
      LITECOIN_EXPLORER_URL: donations.explorerUrl,
    }),
  };
  return Object.keys(shown).filter((name) => shown[name] === undefined);
}
