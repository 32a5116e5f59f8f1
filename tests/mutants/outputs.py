"""What guards outputs, resuming and the standard streams."""

WHOLE, OUTPUT = "src/afterwit/files/whole.py", "src/afterwit/files/output.py"
OUTPUTS, PREDICTIONS = "src/afterwit/cli/outputs.py", "src/afterwit/cli/prediction_part.py"
SAID = "src/afterwit/cli/predictions.py"
LEARN, CHECKPOINTS = "src/afterwit/cli/learn.py", "src/afterwit/cli/checkpoints.py"
STANDARD, MAIN = "src/afterwit/cli/standard.py", "src/afterwit/cli/main.py"
LESSON = "src/afterwit/learning/lesson.py"

SYNCED = "tests/files/test_whole.py::test_the_disk_has_the_bytes_before_the_name_and_the_name_at_the_end"
LEFT = "tests/streams/test_cache.py::test_what_a_killed_writer_left_is_gone_after_a_pass_that_writes_none"
REFUSED = "tests/cli/test_outputs.py::test_what_cannot_be_written_is_refused_before_any_work"
CLASHES = "tests/cli/test_outputs.py::test_an_output_is_no_input_and_no_other_output"
STREAMS = "tests/cli/test_outputs.py::test_pipes_and_devices_are_written_into"
STDOUT = "tests/cli/test_outputs.py::test_standard_output_is_for_the_output_alone"
NO_STREAMS = "tests/cli/test_resume.py::test_streams_have_no_checkpoints"
BEGUN = "tests/cli/test_resume.py::test_one_that_was_left_may_be_begun_again"
LINES = "tests/cli/test_outputs.py::test_a_name_of_several_lines_is_one_line"
LONGEST = "tests/cli/test_outputs.py::test_a_longest_name_that_leaves_no_room_for_a_checkpoint"
COMMAND = "tests/cli/test_resume.py::test_another_command_is_refused"
CHANGED = "tests/cli/test_resume.py::test_changed_files_are_refused_and_stay"
ENDED = "tests/cli/test_resume.py::test_a_run_that_has_ended_is_left_alone"
FOREIGN = "tests/cli/test_resume.py::test_what_others_wrote_stays"
FREE = "tests/cli/test_resume.py::test_what_does_not_matter_may_change"
EVERY = "tests/cli/test_resume.py::test_a_checkpoint_every_so_many_rows"
ON_DISK = "tests/cli/test_resume.py::test_predictions_are_on_the_disk_before_a_checkpoint_says_so"
MODES = "tests/cli/test_resume.py::test_predictions_that_grow_keep_link_and_mode"
READ_ONLY = "tests/cli/test_resume.py::test_predictions_grow_beside_a_file_for_reading_alone"
TWO_RUNS = "tests/cli/test_resume.py::test_a_part_that_another_run_writes_is_left_alone"
LATE = "tests/cli/test_resume.py::test_a_part_that_became_the_file_before_it_was_locked"
CACHES = "tests/cli/test_outputs.py::test_a_model_and_a_cache_are_not_written_over"
PASSES = "tests/cli/test_resume.py::test_predictions_are_of_the_first_pass"
BEHIND = "tests/cli/test_resume.py::test_rows_that_changed_behind_the_place_of_a_later_pass"
POINTS = "tests/cli/test_crash_points.py::test_some_points"
KILLED = "tests/cli/test_crash_points.py::test_every_point[plain-before]"
FULL = "tests/cli/test_standard.py::test_standard_output_that_is_full_or_closed"
STDERR = "tests/cli/test_standard.py::test_standard_error_that_is_full_or_closed"
AGAIN = "tests/cli/test_standard.py::test_the_report_comes_again_when_it_could_not_be_written"
SIGTERM = "tests/cli/test_standard.py::test_sigterm_cleans_up"
LOADED = "tests/cli/test_standard.py::test_signals_wait_until_the_core_is_loaded"
LARGE = "tests/cli/test_cli.py::test_numbers_that_are_too_large[holdout]"

MUTANTS = [
    (WHOLE, "                os.fsync(descriptor)\n                os.replace", "                os.replace", SYNCED),
    (WHOLE, "    with told(given):\n        sync_folder(folder)\n", "", SYNCED),
    (
        WHOLE,
        "                os.fsync(descriptor)\n                os.replace(temporary, target)\n",
        "                os.replace(temporary, target)\n                os.fsync(descriptor)\n",
        SYNCED,
    ),
    (WHOLE, "                file.flush()\n", "", SYNCED),
    (WHOLE, "        _remove_leftovers(folder, start)\n", "", POINTS),
    ("src/afterwit/streams/cache.py", "        remove_leftovers(self.cache_path)", "        pass", LEFT),
    (OUTPUT, "if self.descriptor is None else os.dup(self.descriptor)", "", STREAMS),
    (OUTPUT, "self.descriptor = 1 if self.path == STDOUT else", "self.descriptor =", STDOUT),
    (OUTPUT, "path.endswith(os.sep) or ", "", REFUSED),
    (OUTPUT, "            check_whole(self.path)", "            pass", REFUSED),
    (OUTPUTS, "    if clashes:\n", "    if False:\n", CLASHES),
    (OUTPUTS, "os.stat(path) if descriptor is None", "os.lstat(path) if descriptor is None", CLASHES),
    (OUTPUTS, "    return found.st_dev, found.st_ino", "    return os.path.realpath(path)", CLASHES),
    (OUTPUTS, "needs_file and output.is_stream", "False", NO_STREAMS),
    (OUTPUTS, "redirect_stdout(sys.stderr) if taken else", "", STDOUT),
    (OUTPUTS, '        outputs += [("--checkpoint", checkpoint)]\n', "", LONGEST),
    (OUTPUTS, '        _take("--cache", cache', '        (lambda *_: None)("--cache", cache', CACHES),
    (PREDICTIONS, "                self._file.flush()\n", "", POINTS),
    (PREDICTIONS, "                os.fsync(self._file.fileno())\n", "", ON_DISK),
    (PREDICTIONS, "                self.state()\n                with", "                with", ON_DISK),
    (PREDICTIONS, "if left or crc != self._crc", "if left", CHANGED),
    (PREDICTIONS, "if left or crc != self._crc", "if crc != self._crc and not left", CHANGED),
    (PREDICTIONS, "            self._file.truncate(self._size)\n", "", BEGUN),
    (PREDICTIONS, "                self._take_back()", "                pass", KILLED),
    (PREDICTIONS, "                os.fchmod(self._file.fileno(), grows)", "                pass", MODES),
    (PREDICTIONS, "mode | 0o600", "mode", READ_ONLY),
    (PREDICTIONS, "os.fchmod(self._file.fileno(), self._mode)", "pass", READ_ONLY),
    (PREDICTIONS, "            self._lock(self._file.fileno())\n", "", TWO_RUNS),
    (PREDICTIONS, "os.path.samestat(os.fstat(descriptor), os.stat(self.path))", "True", LATE),
    (CHECKPOINTS, "            part.check_alone()", "            pass", TWO_RUNS),
    (SAID, "text.startswith('\"') or ", "", LINES),
    (SAID, "text.splitlines() not in ([], [text])", "'\\n' in text", LINES),
    (LEARN, "if write and lesson.done == 0", "if write", PASSES),
    (LEARN, "                since = 0\n", "", EVERY),
    (LEARN, "not resumes and os.path.isfile(args.save)", "not resumes and False", ENDED),
    (LEARN, "        checkpoint.begin(lesson, part)", "        pass", EVERY),
    (LEARN, "    if keeps:\n        sys", "    if args.save:\n        sys", FOREIGN),
    (LEARN, "        sys.stdout.flush()\n", "", AGAIN),
    (CHECKPOINTS, "if (old or None) != (new or None) and not", "if False and not", COMMAND),
    (CHECKPOINTS, '"json", "hindsight")', '"json", "hindsight", "format", "on_error")', COMMAND),
    (CHECKPOINTS, "_same_part(new, extra", "_same_part(None, extra", FREE),
    (CHECKPOINTS, 'known.get("path") != part.path', "False", FOREIGN),
    (LESSON, "elif self.resumed and self.limit is None and", "elif False and", BEHIND),
    (STANDARD, "        except OSError:\n            os.dup2", "        except KeyError:\n            os.dup2", FULL),
    (STANDARD, '("stdout", os.O_RDONLY, "w")', '("stdout", os.O_WRONLY, "w")', FULL),
    (STANDARD, "    with contextlib.suppress(OSError):\n        print", "    if True:\n        print", STDERR),
    (MAIN, "    heed_sigterm()\n", "", SIGTERM),
    (MAIN, "with undisturbed():", "if True:", LOADED),
    (MAIN, "<= value <= MOST", "<= value", LARGE),
]
