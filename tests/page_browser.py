"""A real browser on a real service for the tests of the page: Chromium by Playwright, the app in a thread, a worker beside it."""

import logging
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright
from staged_service import Script
from werkzeug.serving import make_server

from es_mappings.settings import Settings
from ingest.opening import open_store, workshop_of
from ingest.pipeline import ingest
from service.app import create_app
from service.opening import open_services
from service.summary_orders import carry_out
from service.worker import Worker

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
# Root needs the first; the others keep a fresh profile from looking for updates in a closed network.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PATIENCE_MS = 30_000  # the machine may be busy with other tests

HANDBOOK = """# Station Handbook

Read this before your first shift.

## 1 Doors

A door of the hall may stay open for ten minutes. After that the guard closes it.

### 1.1 Night

At night every door stays shut.

## 2 Pay

Wages are paid on the last working day of the month. <img src=x onerror="document.title='broken'">

| Grade | Hours |
| --- | --- |
| Lead | 38 |
| Guard | 36 |

## 3 第三章 报警

收到报警之后五分钟内必须确认，并通知值班组长。
"""


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Chromium, or a skip where there is none."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install Debian's package chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def serving(settings: Settings, script: Script | None = None) -> Iterator[str]:
    """The address of the app with its worker, on the settings' Elasticsearch. With a script its answers are the script's."""
    stopping = threading.Event()
    with open_store(settings) as store:
        services = open_services(settings)
        if script:
            services = replace(services, answer=script.answer)
        worker = Worker(
            services.jobs,
            services.spool,
            lambda order, report: ingest(order, store, report),
            settings,
            lambda job, report: carry_out(workshop_of(store), job, report),
        )

        def work() -> None:
            while not stopping.wait(0.1):
                worker.work_one()

        logging.getLogger("werkzeug").setLevel(logging.WARNING)
        server = make_server("127.0.0.1", 0, create_app(settings, services), threaded=True)
        threads = [threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}), threading.Thread(target=work)]
        for thread in threads:
            thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            stopping.set()
            server.shutdown()
            for thread in threads:
                thread.join()
            server.server_close()
            services.index.close()


class Visit:
    """One page with what it complained of and what it asked for."""

    def __init__(self, browser: Browser, address: str, **context: Any) -> None:
        self.address = address
        self.context = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **context})
        self.page: Page = self.context.new_page()
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._note)
        self.page.set_default_timeout(PATIENCE_MS)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _note(self, request: Request) -> None:
        self.asked.append(request.url)

    def go(self, fragment: str = "") -> Page:
        self.page.goto(f"{self.address}/{fragment}")
        return self.page

    def close(self) -> None:
        self.context.close()
        assert self.complaints == []
        assert [url for url in self.asked if not url.startswith((self.address, "data:"))] == []


def drop_file(page: Page, name: str, text: str) -> None:
    """Drop a file on the page as a person does."""
    page.evaluate(
        """([name, text]) => {
            const dropped = new DataTransfer();
            dropped.items.add(new File([text], name));
            const how = {dataTransfer: dropped, cancelable: true};
            for (const kind of ["dragenter", "dragover", "drop"]) window.dispatchEvent(new DragEvent(kind, how));
        }""",
        [name, text],
    )


def slides_sideways(page: Page) -> bool:
    """Whether the page is wider than its window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))


WEB = Path(__file__).parents[1] / "service" / "web"
