"""The whole application: the guard outside, the API and the page's own files inside."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import novikoff
from novikoff.lab.guard import Address, Guard
from novikoff.lab.routes import api, refusal
from novikoff.lab.workers import Workers

__all__ = ["make_app"]

KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
MOST_COMPLAINTS = 3


def make_app(address: Address) -> Guard:
    """The application for a server at this address; the workers live as long as it runs."""
    app = FastAPI(
        title="novikoff lab",
        description="What the page of `novikoff lab` asks. All of it is computed by the package.",
        version=novikoff.__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.include_router(api)
    app.add_exception_handler(RequestValidationError, _outside_limits)
    app.add_exception_handler(HTTPException, _no_such_thing)
    _serve_page(app)
    return Guard(app, address)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.workers = Workers()
    try:
        yield
    finally:
        app.state.workers.stop()


async def _outside_limits(_request: Request, error: Exception) -> Response:
    """What is wrong with a question, in a sentence that names the field."""
    assert isinstance(error, RequestValidationError)
    complaints = []
    for found in error.errors()[:MOST_COMPLAINTS]:
        where = ".".join(str(part) for part in found["loc"] if part != "body")
        complaints.append(f"{where or 'the body'}: {found['msg']}")
    more = len(error.errors()) - MOST_COMPLAINTS
    return refusal(422, "; ".join(complaints) + (f"; and {more} more" if more > 0 else "") + ".")


async def _no_such_thing(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = refusal(error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


def _serve_page(app: FastAPI) -> None:
    """Give each file of the page an address of its own: nothing is looked up by a request."""
    for file in resources.files("novikoff.lab").joinpath("page").iterdir():
        kind = KINDS.get(file.name.rpartition(".")[2])
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/{file.name}"
            app.add_api_route(path, _giver(file.read_bytes(), kind), include_in_schema=False)


def _giver(content: bytes, kind: str):  # type: ignore[no-untyped-def]
    async def give() -> Response:
        return Response(content, media_type=kind)

    return give
