	switch (t->back) {
	default: Uerror("bad return move");
	case  0: goto R999; /* nothing to undo */

		 /* PROC process */

	case 3: // STATE 1
		;
		((P0 *)_this)->me = trpt->bup.oval;
		;
		goto R999;

	case 4: // STATE 2
		;
		((P0 *)_this)->l = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 6: // STATE 4
		;
		now.level[ Index(((P0 *)_this)->me, 4) ] = trpt->bup.oval;
		;
		goto R999;

	case 7: // STATE 5
		;
		now.last[ Index(((P0 *)_this)->l, 4) ] = trpt->bup.oval;
		;
		goto R999;

	case 8: // STATE 6
		;
		((P0 *)_this)->k = trpt->bup.oval;
		;
		goto R999;
;
		;
		;
		;
		
	case 11: // STATE 29
		;
		((P0 *)_this)->k = trpt->bup.oval;
		;
		goto R999;

	case 12: // STATE 11
		;
		((P0 *)_this)->t = trpt->bup.oval;
		;
		goto R999;

	case 13: // STATE 29
		;
		((P0 *)_this)->k = trpt->bup.ovals[1];
	/* 0 */	((P0 *)_this)->t = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 14: // STATE 15
		;
		((P0 *)_this)->t = trpt->bup.oval;
		;
		goto R999;

	case 15: // STATE 29
		;
		((P0 *)_this)->k = trpt->bup.ovals[1];
	/* 0 */	((P0 *)_this)->t = trpt->bup.ovals[0];
		;
		;
		ungrab_ints(trpt->bup.ovals, 2);
		goto R999;

	case 16: // STATE 29
		;
		((P0 *)_this)->k = trpt->bup.oval;
		;
		goto R999;

	case 17: // STATE 35
		;
		((P0 *)_this)->l = trpt->bup.oval;
		;
		goto R999;

	case 18: // STATE 41
		;
		((P0 *)_this)->t = trpt->bup.oval;
		;
		goto R999;

	case 19: // STATE 42
		;
		now.inside = trpt->bup.oval;
		;
		goto R999;
;
		;
		
	case 21: // STATE 44
		;
		((P0 *)_this)->t = trpt->bup.oval;
		;
		goto R999;

	case 22: // STATE 45
		;
		now.inside = trpt->bup.oval;
		;
		goto R999;

	case 23: // STATE 46
		;
		now.level[ Index(((P0 *)_this)->me, 4) ] = trpt->bup.oval;
		;
		goto R999;
	}

