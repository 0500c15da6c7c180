export type Theme = 'system' | 'light' | 'dark';

const KEY = 'steplight-theme';

/** Light, dark, or as the system has it. Storage may be denied: then the choice lasts as long as the page. */
export class ThemeChoice {
  #theme = $state<Theme>(stored());

  constructor() {
    apply(this.#theme);
  }

  get theme(): Theme {
    return this.#theme;
  }

  set theme(theme: Theme) {
    this.#theme = theme;
    apply(theme);
    try {
      if (theme === 'system') localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, theme);
    } catch {
      // Nothing to do: see above.
    }
  }
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
