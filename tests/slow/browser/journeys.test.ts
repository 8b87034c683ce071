// Needs: chromium
import { describeJourneys } from '../../support/browser/journeys.ts';
import { DESK, useDemoSite } from '../../support/browser/visit.ts';

const { test } = useDemoSite();
// On a phone with script they are in tests/journeys/browser.test.ts.
describeJourneys(test, { ...DESK, colorScheme: 'dark', script: false });
