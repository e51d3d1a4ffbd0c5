import '../page.ts';
