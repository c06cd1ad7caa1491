// SPDX-License-Identifier: Apache-2.0
#pragma once
// A program that links this library has one heap for all its threads (OneHeap.c). It has no functions.
