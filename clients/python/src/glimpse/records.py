# SPDX-License-Identifier: Apache-2.0
"""Decodes JSON objects into dataclasses by the types of their fields.

Unknown members are ignored. A member that is absent or null leaves the field's default. A field without a default is
required, and so is one that the class's `_required` names. The metadata `member` gives the name of the member where it
is not the field's name.
"""

import dataclasses
from functools import lru_cache
from typing import Any, Callable, Dict, List, Mapping, Tuple, Type, TypeVar, Union, cast, get_args, get_origin

Record = TypeVar("Record")
Converter = Callable[[Any], Any]


class MismatchError(ValueError):
    """A member is missing or has another type than the field."""


def decode(cls: Type[Record], form: Mapping[str, Any], **known: Any) -> Record:
    """Makes a `cls` from the members of `form`. `known` are fields that have their value already.

    Raises MismatchError. A class may have a static method `_prepare` that changes the members first.
    """
    prepare = getattr(cls, "_prepare", None)
    members: Mapping[str, Any] = form if prepare is None else prepare(form)
    values: Dict[str, Any] = dict(known)
    for name, member, convert, is_required in _plan(cast(Any, cls)):
        if name in values:
            continue
        value = members.get(member)
        if value is not None:
            try:
                values[name] = convert(value)
            except MismatchError as error:
                raise MismatchError(f"{member}: {error}") from None
        elif is_required:
            raise MismatchError(f"{member}: missing")
    return cls(**values)


@lru_cache(maxsize=None)
def _plan(cls: Any) -> List[Tuple[str, str, Converter, bool]]:
    return [
        (
            field.name,
            field.metadata.get("member", field.name),
            _converter(field.type),
            field.name in getattr(cls, "_required", ())
            or (field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING),
        )
        for field in dataclasses.fields(cls)
    ]


def _converter(kind: Any) -> Converter:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Union:
        return _converter(arguments[0])
    if origin is tuple:
        return _elements(_converter(arguments[0]))
    if origin is not None:
        return _members(_converter(arguments[1]))
    if dataclasses.is_dataclass(kind):
        return _record(kind)
    return {str: _text, bool: _flag, int: _whole, float: _number}.get(kind, _any)


def _any(value: Any) -> Any:
    return value


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise MismatchError("not a text")


def _flag(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise MismatchError("not true or false")


def _whole(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 64:
        return value
    raise MismatchError("not a whole number of 64 bits")


def _number(value: Any) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    raise MismatchError("not a number")


def _elements(convert: Converter) -> Converter:
    def elements(value: Any) -> Tuple[Any, ...]:
        if isinstance(value, list):
            return tuple(convert(element) for element in value)
        raise MismatchError("not a list")

    return elements


def _members(convert: Converter) -> Converter:
    def members(value: Any) -> Dict[str, Any]:
        if isinstance(value, dict):
            return {name: convert(member) for name, member in value.items()}
        raise MismatchError("not an object")

    return members


def _record(cls: Any) -> Converter:
    def record(value: Any) -> Any:
        if isinstance(value, dict):
            return decode(cls, value)
        raise MismatchError("not an object")

    return record
