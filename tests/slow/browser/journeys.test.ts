// Needs: chromium
import { describeJourneys } from '../../support/browser/journeys.ts';
import { DESK, useDemoSite } from '../../support/browser/visit.ts';

// On a phone with script they are in tests/journeys/browser.test.ts.
const { test } = useDemoSite();
describeJourneys(test, { ...DESK, colorScheme: 'dark', script: false });
