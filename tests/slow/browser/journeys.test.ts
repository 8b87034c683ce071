// Needs: chromium
import { describeJourneys } from '../../support/browser/journeys.ts';
import { useDemoSite } from '../../support/browser/visit.ts';

// On a phone with script they are in tests/journeys/browser.test.ts.
const { test } = useDemoSite();
describeJourneys({ width: 1280, colorScheme: 'dark', script: false }, test);
