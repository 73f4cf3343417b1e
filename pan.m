#define rand	pan_rand
#define pthread_equal(a,b)	((a)==(b))
#if defined(HAS_CODE) && defined(VERBOSE)
	#ifdef BFS_PAR
		bfs_printf("Pr: %d Tr: %d\n", II, t->forw);
	#else
		cpu_printf("Pr: %d Tr: %d\n", II, t->forw);
	#endif
#endif
	switch (t->forw) {
	default: Uerror("bad forward move");
	case 0:	/* if without executable clauses */
		continue;
	case 1: /* generic 'goto' or 'skip' */
		IfNotBlocked
		_m = 3; goto P999;
	case 2: /* generic 'else' */
		IfNotBlocked
		if (trpt->o_pm&1) continue;
		_m = 3; goto P999;

		 /* PROC process */
	case 3: // STATE 1 - bench/explicit/peterson.pml:14 - [me = _pid] (0:0:1 - 1)
		IfNotBlocked
		reached[0][1] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->me);
		((P0 *)_this)->me = ((int)((P0 *)_this)->_pid);
#ifdef VAR_RANGES
		logval("process:me", ((int)((P0 *)_this)->me));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 4: // STATE 2 - bench/explicit/peterson.pml:16 - [l = 1] (0:0:1 - 3)
		IfNotBlocked
		reached[0][2] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->l);
		((P0 *)_this)->l = 1;
#ifdef VAR_RANGES
		logval("process:l", ((int)((P0 *)_this)->l));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 5: // STATE 3 - bench/explicit/peterson.pml:18 - [((l<4))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][3] = 1;
		if (!((((int)((P0 *)_this)->l)<4)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 6: // STATE 4 - bench/explicit/peterson.pml:19 - [level[me] = l] (0:0:1 - 1)
		IfNotBlocked
		reached[0][4] = 1;
		(trpt+1)->bup.oval = ((int)now.level[ Index(((int)((P0 *)_this)->me), 4) ]);
		now.level[ Index(((P0 *)_this)->me, 4) ] = ((int)((P0 *)_this)->l);
#ifdef VAR_RANGES
		logval("level[process:me]", ((int)now.level[ Index(((int)((P0 *)_this)->me), 4) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 7: // STATE 5 - bench/explicit/peterson.pml:20 - [last[l] = me] (0:0:1 - 1)
		IfNotBlocked
		reached[0][5] = 1;
		(trpt+1)->bup.oval = ((int)now.last[ Index(((int)((P0 *)_this)->l), 4) ]);
		now.last[ Index(((P0 *)_this)->l, 4) ] = ((int)((P0 *)_this)->me);
#ifdef VAR_RANGES
		logval("last[process:l]", ((int)now.last[ Index(((int)((P0 *)_this)->l), 4) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 8: // STATE 6 - bench/explicit/peterson.pml:21 - [k = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][6] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->k);
		((P0 *)_this)->k = 0;
#ifdef VAR_RANGES
		logval("process:k", ((int)((P0 *)_this)->k));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 9: // STATE 7 - bench/explicit/peterson.pml:23 - [((k<4))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][7] = 1;
		if (!((((int)((P0 *)_this)->k)<4)))
			continue;
		_m = 3; goto P999; /* 0 */
	case 10: // STATE 8 - bench/explicit/peterson.pml:25 - [((k==me))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][8] = 1;
		if (!((((int)((P0 *)_this)->k)==((int)((P0 *)_this)->me))))
			continue;
		_m = 3; goto P999; /* 0 */
	case 11: // STATE 9 - bench/explicit/peterson.pml:25 - [(1)] (32:0:1 - 1)
		IfNotBlocked
		reached[0][9] = 1;
		if (!(1))
			continue;
		/* merge: .(goto)(32, 28, 32) */
		reached[0][28] = 1;
		;
		/* merge: k = (k+1)(32, 29, 32) */
		reached[0][29] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->k);
		((P0 *)_this)->k = (((int)((P0 *)_this)->k)+1);
#ifdef VAR_RANGES
		logval("process:k", ((int)((P0 *)_this)->k));
#endif
		;
		/* merge: .(goto)(0, 33, 32) */
		reached[0][33] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 12: // STATE 11 - bench/explicit/peterson.pml:28 - [t = level[k]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][11] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->t);
		((P0 *)_this)->t = ((int)now.level[ Index(((int)((P0 *)_this)->k), 4) ]);
#ifdef VAR_RANGES
		logval("process:t", ((int)((P0 *)_this)->t));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 13: // STATE 12 - bench/explicit/peterson.pml:30 - [((t<l))] (32:0:2 - 1)
		IfNotBlocked
		reached[0][12] = 1;
		if (!((((int)((P0 *)_this)->t)<((int)((P0 *)_this)->l))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: t */  (trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((P0 *)_this)->t;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->t = 0;
		/* merge: goto :b2(32, 13, 32) */
		reached[0][13] = 1;
		;
		/* merge: k = (k+1)(32, 29, 32) */
		reached[0][29] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->k);
		((P0 *)_this)->k = (((int)((P0 *)_this)->k)+1);
#ifdef VAR_RANGES
		logval("process:k", ((int)((P0 *)_this)->k));
#endif
		;
		/* merge: .(goto)(0, 33, 32) */
		reached[0][33] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 14: // STATE 15 - bench/explicit/peterson.pml:31 - [t = last[l]] (0:0:1 - 1)
		IfNotBlocked
		reached[0][15] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->t);
		((P0 *)_this)->t = ((int)now.last[ Index(((int)((P0 *)_this)->l), 4) ]);
#ifdef VAR_RANGES
		logval("process:t", ((int)((P0 *)_this)->t));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 15: // STATE 16 - bench/explicit/peterson.pml:33 - [((t!=me))] (32:0:2 - 1)
		IfNotBlocked
		reached[0][16] = 1;
		if (!((((int)((P0 *)_this)->t)!=((int)((P0 *)_this)->me))))
			continue;
		if (TstOnly) return 1; /* TT */
		/* dead 1: t */  (trpt+1)->bup.ovals = grab_ints(2);
		(trpt+1)->bup.ovals[0] = ((P0 *)_this)->t;
#ifdef HAS_CODE
		if (!readtrail)
#endif
			((P0 *)_this)->t = 0;
		/* merge: goto :b2(32, 17, 32) */
		reached[0][17] = 1;
		;
		/* merge: k = (k+1)(32, 29, 32) */
		reached[0][29] = 1;
		(trpt+1)->bup.ovals[1] = ((int)((P0 *)_this)->k);
		((P0 *)_this)->k = (((int)((P0 *)_this)->k)+1);
#ifdef VAR_RANGES
		logval("process:k", ((int)((P0 *)_this)->k));
#endif
		;
		/* merge: .(goto)(0, 33, 32) */
		reached[0][33] = 1;
		;
		_m = 3; goto P999; /* 3 */
	case 16: // STATE 29 - bench/explicit/peterson.pml:39 - [k = (k+1)] (0:32:1 - 7)
		IfNotBlocked
		reached[0][29] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->k);
		((P0 *)_this)->k = (((int)((P0 *)_this)->k)+1);
#ifdef VAR_RANGES
		logval("process:k", ((int)((P0 *)_this)->k));
#endif
		;
		/* merge: .(goto)(0, 33, 32) */
		reached[0][33] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 17: // STATE 35 - bench/explicit/peterson.pml:42 - [l = (l+1)] (0:38:1 - 3)
		IfNotBlocked
		reached[0][35] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->l);
		((P0 *)_this)->l = (((int)((P0 *)_this)->l)+1);
#ifdef VAR_RANGES
		logval("process:l", ((int)((P0 *)_this)->l));
#endif
		;
		/* merge: .(goto)(0, 39, 38) */
		reached[0][39] = 1;
		;
		_m = 3; goto P999; /* 1 */
	case 18: // STATE 41 - bench/explicit/peterson.pml:45 - [t = inside] (0:0:1 - 3)
		IfNotBlocked
		reached[0][41] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->t);
		((P0 *)_this)->t = ((int)now.inside);
#ifdef VAR_RANGES
		logval("process:t", ((int)((P0 *)_this)->t));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 19: // STATE 42 - bench/explicit/peterson.pml:45 - [inside = (t+1)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][42] = 1;
		(trpt+1)->bup.oval = ((int)now.inside);
		now.inside = (((int)((P0 *)_this)->t)+1);
#ifdef VAR_RANGES
		logval("inside", ((int)now.inside));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 20: // STATE 43 - bench/explicit/peterson.pml:46 - [assert((inside==1))] (0:0:0 - 1)
		IfNotBlocked
		reached[0][43] = 1;
		spin_assert((((int)now.inside)==1), "(inside==1)", II, tt, t);
		_m = 3; goto P999; /* 0 */
	case 21: // STATE 44 - bench/explicit/peterson.pml:47 - [t = inside] (0:0:1 - 1)
		IfNotBlocked
		reached[0][44] = 1;
		(trpt+1)->bup.oval = ((int)((P0 *)_this)->t);
		((P0 *)_this)->t = ((int)now.inside);
#ifdef VAR_RANGES
		logval("process:t", ((int)((P0 *)_this)->t));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 22: // STATE 45 - bench/explicit/peterson.pml:47 - [inside = (t-1)] (0:0:1 - 1)
		IfNotBlocked
		reached[0][45] = 1;
		(trpt+1)->bup.oval = ((int)now.inside);
		now.inside = (((int)((P0 *)_this)->t)-1);
#ifdef VAR_RANGES
		logval("inside", ((int)now.inside));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case 23: // STATE 46 - bench/explicit/peterson.pml:48 - [level[me] = 0] (0:0:1 - 1)
		IfNotBlocked
		reached[0][46] = 1;
		(trpt+1)->bup.oval = ((int)now.level[ Index(((int)((P0 *)_this)->me), 4) ]);
		now.level[ Index(((P0 *)_this)->me, 4) ] = 0;
#ifdef VAR_RANGES
		logval("level[process:me]", ((int)now.level[ Index(((int)((P0 *)_this)->me), 4) ]));
#endif
		;
		_m = 3; goto P999; /* 0 */
	case  _T5:	/* np_ */
		if (!((!(trpt->o_pm&4) && !(trpt->tau&128))))
			continue;
		/* else fall through */
	case  _T2:	/* true */
		_m = 3; goto P999;
#undef rand
	}

